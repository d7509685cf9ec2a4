import { Loader } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { exchangeCode, type LoginResult } from "../api/login";
import { useServices } from "../app/services";
import { Command } from "../component/Command";
import { Panel } from "../component/Panel";
import css from "../component/panel.module.css";
import { messages as t } from "../i18n/messages";
import { OPEN_COMMAND } from "./FaultPages";

type State = LoginResult | { kind: "working" } | { kind: "noCode" };

/** Trades the code behind # for a session, and takes it out of the address. */
export function LoginPage() {
  const state = useExchange();
  if (state.kind === "working" || state.kind === "ok") {
    return (
      <Panel title={t.login.working} level={1}>
        <Loader aria-hidden="true" />
      </Panel>
    );
  }
  if (state.kind === "failed") {
    return (
      <Panel title={t.login.failedTitle} level={1}>
        <p role="alert">{state.message}</p>
        {state.requestId && <p className={css.fine}>{t.state.requestId(state.requestId)}</p>}
        <Command text={OPEN_COMMAND} />
      </Panel>
    );
  }
  const used = state.kind === "refused";
  return (
    <Panel title={used ? t.login.usedTitle : t.login.noCodeTitle} level={1}>
      <p role={used ? "alert" : undefined}>{used ? t.login.usedText : t.state.signedOutText}</p>
      <Command text={OPEN_COMMAND} />
    </Panel>
  );
}

function useExchange(): State {
  const { base, gate, query } = useServices();
  const navigate = useNavigate();
  const [state, setState] = useState<State>({ kind: "working" });
  // A code works once, and React may run an effect twice.
  const started = useRef(false);
  useEffect(() => {
    if (started.current) return;
    started.current = true;
    const code = window.location.hash.slice(1);
    const { pathname, search } = window.location;
    window.history.replaceState(window.history.state, "", pathname + search);
    if (!code) return setState({ kind: "noCode" });
    exchangeCode(base, code).then((result) => {
      setState(result);
      if (result.kind !== "ok") return;
      gate.open();
      query.clear();
      void navigate({ to: "/wakeups", replace: true });
    });
  }, [base, gate, query, navigate]);
  return state;
}

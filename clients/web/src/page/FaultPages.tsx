import { Button } from "@mantine/core";
import { type ErrorComponentProps, Link } from "@tanstack/react-router";
import { Command } from "../component/Command";
import { CopyButton } from "../component/CopyButton";
import { Panel } from "../component/Panel";
import css from "../component/panel.module.css";
import { messages as t } from "../i18n/messages";

/** The command that makes a new login link. */
export const OPEN_COMMAND = "agentctl open";

/** Nobody is logged in here. */
export function SignedOutPage() {
  return (
    <Panel title={t.state.signedOutTitle} level={1}>
      <p>{t.state.signedOutText}</p>
      <Command text={OPEN_COMMAND} />
    </Panel>
  );
}

/** No page has this address. */
export function NotFoundPage() {
  return (
    <Panel title={t.state.notFoundTitle} level={1}>
      <ToWakeups />
    </Panel>
  );
}

/** A way back to the list. */
export function ToWakeups() {
  return (
    <p>
      <Link to="/wakeups">{t.state.toWakeups}</Link>
    </p>
  );
}

/** A page threw; the rest still works. */
export function CrashPage({ error: thrown }: ErrorComponentProps) {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  return (
    <Panel title={t.state.crashTitle} level={1}>
      <p>{t.state.crashText}</p>
      <p className={css.fine}>{error.message}</p>
      <div className={css.actions}>
        <Button onClick={() => window.location.reload()}>{t.state.reload}</Button>
        <CopyButton
          text={error.stack ?? error.message}
          what={t.state.error}
          label={t.state.copyError}
        />
      </div>
    </Panel>
  );
}

import { useMutation, useQuery } from "@connectrpc/connect-query";
import type { Wakeup } from "@gen/recovery_pb";
import { RecoveryService } from "@gen/recovery_service_pb";
import { Role, WorkspaceService } from "@gen/workspace_service_pb";
import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { problemOf } from "../api/problem";
import { newRequestId } from "../api/requestId";
import { useLive, useServices } from "../app/services";
import { ErrorPanel } from "../component/ErrorPanel";
import { messages as t } from "../i18n/messages";
import { role as roles } from "../i18n/states";
import { useRefresh } from "../live/StaleBanner";
import { canCancelWait } from "../wakeup/nextAction";
import { ChangedNote } from "./ChangedNote";
import css from "./cancel.module.css";

const words = t.detail.cancel;

/** Data older than this must be read again before anything is pressed, in milliseconds. */
export const OLD_AFTER_MS = 60_000;

/** Ends a wait, after one question. A wait that changed meanwhile is left alone. */
export function CancelWait({ wakeup }: { wakeup: Wakeup }) {
  const [asked, setAsked] = useState<Wakeup | undefined>();
  const client = useQueryClient();
  const caller = useQuery(WorkspaceService.method.getCaller);
  const cancel = useMutation(RecoveryService.method.cancelWait, {
    onSuccess: () => setAsked(undefined),
    onSettled: () => client.invalidateQueries(),
  });
  const role = caller.data?.role;
  const submit = (seen: Wakeup) =>
    cancel.mutate({
      wakeupId: seen.wakeupId,
      expectedVersion: seen.version,
      requestId: newRequestId(),
    });
  const close = () => {
    setAsked(undefined);
    cancel.reset();
  };
  const possible = canCancelWait(wakeup);
  const conflict = cancel.isError && problemOf(cancel.error).conflict;
  if (!asked && !possible) return null;
  if (role === Role.VIEWER) return <p className={css.note}>{words.viewer(roles.text(role))}</p>;
  if (!asked) {
    return (
      <Button variant="default" onClick={() => setAsked(wakeup)}>
        {words.button}
      </Button>
    );
  }
  if (conflict || (!possible && !cancel.isPending)) {
    return <ChangedNote seen={asked} now={wakeup} onClose={close} />;
  }
  return (
    <fieldset className={css.ask}>
      <legend className="rc-hidden">{words.confirmTitle}</legend>
      <strong aria-hidden="true">{words.confirmTitle}</strong>
      <p>{words.confirm}</p>
      {cancel.isError && <ErrorPanel error={cancel.error} title={words.failed} />}
      <Answers pending={cancel.isPending} onYes={() => submit(asked)} onNo={close} />
    </fieldset>
  );
}

function Answers(props: { pending: boolean; onYes: () => void; onNo: () => void }) {
  const { phase, lastHeard } = useLive();
  const { clock } = useServices();
  const refresh = useRefresh();
  const old = phase !== "live" && clock.now() - (lastHeard ?? 0) > OLD_AFTER_MS;
  return (
    <div className={css.buttons}>
      {old && phase === "stale" ? (
        <>
          <span>{t.live.refreshFirst}</span>
          <Button onClick={refresh}>{t.live.refresh}</Button>
        </>
      ) : (
        <Button onClick={props.onYes} disabled={props.pending} autoFocus>
          {props.pending ? words.pending : words.yes}
        </Button>
      )}
      <Button variant="default" onClick={props.onNo} disabled={props.pending}>
        {words.no}
      </Button>
    </div>
  );
}

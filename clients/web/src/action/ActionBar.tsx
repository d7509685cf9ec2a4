import { useQuery } from "@connectrpc/connect-query";
import { type SessionRecovery, UserAction, type Wakeup, WakeupStatus } from "@gen/recovery_pb";
import { RecoveryService } from "@gen/recovery_service_pb";
import { Role, WorkspaceService } from "@gen/workspace_service_pb";
import { Button, Skeleton } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useServices } from "../app/services";
import { ErrorPanel } from "../component/ErrorPanel";
import { messages as t } from "../i18n/messages";
import { role as roles } from "../i18n/states";
import { useRefresh } from "../live/StaleBanner";
import { Ask } from "./Ask";
import { known, type Press, press } from "./act";
import css from "./action.module.css";
import { Buttons } from "./Buttons";
import { ChangedNote } from "./ChangedNote";
import { endedAtItsCaller, OnItsHost } from "./OnItsHost";
import { type Act, useAct, useTooOld } from "./useAct";

const words = t.act;

/** What may be done about a wakeup now, as the server says it. */
export function ActionBar({ wakeup }: { wakeup: Wakeup }) {
  const { sessionId } = wakeup;
  const recovery = useQuery(RecoveryService.method.getSessionRecovery, { sessionId });
  const caller = useQuery(WorkspaceService.method.getCaller);
  const role = caller.data?.role;
  const now = recovery.data?.recovery;
  if (role === Role.VIEWER) return <p className={css.note}>{words.viewer(roles.text(role))}</p>;
  if (recovery.isError) {
    const title = t.state.couldNotLoad(words.title.toLowerCase());
    return (
      <ErrorPanel error={recovery.error} title={title} onRetry={() => void recovery.refetch()} />
    );
  }
  if (!now) return <Skeleton height="var(--rc-target)" width="16rem" />;
  const read = async () => (await recovery.refetch()).data?.recovery;
  return <Bar wakeup={wakeup} recovery={now} settling={recovery.isFetching} read={read} />;
}

interface BarProps {
  wakeup: Wakeup;
  recovery: SessionRecovery;
  /** What may be done is being read again. */
  settling: boolean;
  read: () => Promise<SessionRecovery | undefined>;
}

function Bar({ wakeup, recovery, settling, read }: BarProps) {
  const [asked, setAsked] = useState<Press | undefined>();
  const [last, setLast] = useState<UserAction | undefined>();
  const act = useActHere(wakeup, () => setAsked(undefined));
  useFocusKept(asked !== undefined);
  const superseded = recovery.wakeupId !== wakeup.wakeupId;
  const actions = superseded ? [] : known(recovery.actions);
  const close = () => {
    setAsked(undefined);
    act.clear();
  };
  const choose = async (action: UserAction) => {
    setLast(action);
    act.clear();
    if (!words.questions[action]) return act.run(press(action, wakeup, recovery));
    // A run moves on without a word: the question is about the newest of it.
    const fresh = action === UserAction.STOP_RUN ? await read() : recovery;
    setAsked(press(action, wakeup, fresh ?? recovery));
  };
  const gone = asked && !act.pending && !act.failed && !settling && !actions.includes(asked.action);
  const changed = act.refused ?? (gone ? asked : undefined);
  const newer = superseded && <Newer wakeupId={recovery.wakeupId} />;
  if (changed) {
    return (
      <ChangedNote seen={changed.seen} now={wakeup} error={act.error} onClose={close}>
        {newer}
      </ChangedNote>
    );
  }
  if (asked) return <Asked asked={asked} act={act} onNo={close} />;
  if (newer) return newer;
  if (actions.length === 0 && endedAtItsCaller(wakeup)) return <OnItsHost wakeup={wakeup} />;
  return (
    <>
      {act.failed && <Failed act={act} failed={act.failed} />}
      <Fresh>
        <Buttons
          actions={actions}
          status={wakeup.status}
          pending={act.pending?.action}
          focus={last}
          onPress={choose}
        />
      </Fresh>
    </>
  );
}

/** A question that closes without a button to go back to leaves the focus in the page. */
function useFocusKept(open: boolean) {
  const before = useRef(open);
  useEffect(() => {
    const closed = before.current && !open;
    before.current = open;
    if (closed && document.activeElement === document.body) {
      document.getElementById("main")?.focus({ preventScroll: true });
    }
  }, [open]);
}

/** Acts, and goes to the wakeup with which a session goes on. */
function useActHere(wakeup: Wakeup, settled: () => void): Act {
  const { announcer } = useServices();
  const navigate = useNavigate();
  return useAct(({ action }, now) => {
    settled();
    announcer.say(words.done[action] ?? "");
    if (!now || now.wakeupId === wakeup.wakeupId) return;
    void navigate({ to: "/wakeups/$wakeupId", params: { wakeupId: now.wakeupId } });
  });
}

function Asked({ asked, act, onNo }: { asked: Press; act: Act; onNo: () => void }) {
  const question = words.questions[asked.action];
  if (!question) return null;
  const waits = [WakeupStatus.QUEUED, WakeupStatus.SCHEDULED_RETRY, WakeupStatus.PARKED];
  const endsWait = asked.action === UserAction.START_FRESH && waits.includes(asked.seen.status);
  return (
    <Fresh>
      <Ask
        question={question}
        also={endsWait ? words.endsWait : undefined}
        pending={act.pending && words.pending[asked.action]}
        danger={asked.action !== UserAction.START_FRESH}
        onYes={() => act.run(asked)}
        onNo={onNo}
      >
        {act.failed && <Failed act={act} failed={act.failed} />}
      </Ask>
    </Fresh>
  );
}

function Failed({ act, failed }: { act: Act; failed: Press }) {
  const title = words.failed[failed.action] ?? t.state.error;
  return (
    <div className={css.wide}>
      <ErrorPanel error={act.error} title={title} onRetry={() => act.run(failed)} />
    </div>
  );
}

/** Lets nobody act on what is too old. */
function Fresh({ children }: { children: ReactNode }) {
  const refresh = useRefresh();
  if (!useTooOld()) return children;
  return (
    <div className={css.answers}>
      <span>{t.live.refreshFirst}</span>
      <Button onClick={refresh}>{t.live.refresh}</Button>
    </div>
  );
}

function Newer({ wakeupId }: { wakeupId: string }) {
  return (
    <p className={css.note}>
      {words.newer}{" "}
      <Link to="/wakeups/$wakeupId" params={{ wakeupId }}>
        {words.toNewer}
      </Link>
    </p>
  );
}

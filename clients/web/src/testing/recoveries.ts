import { create } from "@bufbuild/protobuf";
import {
  Attention,
  DeliveryMode,
  type Run,
  type SessionRecovery,
  SessionRecoverySchema,
  UserAction,
  type Wakeup,
  WakeupStatus,
} from "@gen/recovery_pb";

/** What may be done in each status, as the server says it; a known agent's session adds a resume. */
const valid: Record<number, readonly UserAction[]> = {
  [WakeupStatus.QUEUED]: [UserAction.CANCEL_WAIT, UserAction.START_FRESH],
  [WakeupStatus.SCHEDULED_RETRY]: [
    UserAction.RETRY_NOW,
    UserAction.CANCEL_WAIT,
    UserAction.START_FRESH,
  ],
  [WakeupStatus.PARKED]: [UserAction.RETRY_NOW, UserAction.CANCEL_WAIT, UserAction.START_FRESH],
  [WakeupStatus.RUNNING]: [UserAction.STOP_RUN],
};

function actionsOf(w: Wakeup, run: Run | undefined): UserAction[] {
  if (w.status === WakeupStatus.RUNNING && run?.stopRequestedAt) return [];
  const ended = valid[w.status] === undefined;
  if (ended && w.delivery === DeliveryMode.CALLER) return [];
  const resume = ended && w.nativeSessionId !== "" && w.status !== WakeupStatus.COMPLETED;
  return [
    ...(valid[w.status] ?? []),
    ...(resume ? [UserAction.RESUME_SESSION] : []),
    ...(ended ? [UserAction.START_FRESH] : []),
  ];
}

/** What goes on about the session of a wakeup, which is its newest. */
export function recoveryOf(w: Wakeup, runs: readonly Run[]): SessionRecovery {
  const run = runs.find((r) => r.runId === w.lastRunId);
  return create(SessionRecoverySchema, {
    session: { sessionId: w.sessionId, generation: w.generation },
    wakeupId: w.wakeupId,
    wakeupVersion: w.version,
    status: w.status,
    attention: w.attention,
    generation: w.generation,
    runId: run?.runId ?? "",
    runVersion: run?.version ?? 0n,
    actions: actionsOf(w, run),
    wakeup: w,
  });
}

/** The newest wakeup of each session that needs this; all that need anything if unspecified. */
export function needing(wakeups: readonly Wakeup[], attention: Attention): Wakeup[] {
  return wakeups.filter((w) => {
    const newest = !wakeups.some((x) => x.sessionId === w.sessionId && x.generation > w.generation);
    const wanted = attention === Attention.UNSPECIFIED ? w.attention : w.attention === attention;
    return newest && Boolean(wanted);
  });
}

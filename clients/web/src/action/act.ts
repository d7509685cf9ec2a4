import type { Client } from "@connectrpc/connect";
import { type SessionRecovery, UserAction, type Wakeup, WakeupStatus } from "@gen/recovery_pb";
import type { RecoveryService } from "@gen/recovery_service_pb";
import { newRequestId } from "../api/requestId";

/** One press of a button: what was pressed, and the state that was seen then. */
export interface Press {
  action: UserAction;
  /** The wakeup as it was on the screen. */
  seen: Wakeup;
  /** The newest run as it was read, for a stop; "" if there is none. */
  runId: string;
  runVersion: bigint;
  /** Stays the same when the same press is tried again, so that it counts once. */
  requestId: string;
}

/** A press of now. */
export function press(action: UserAction, seen: Wakeup, recovery?: SessionRecovery): Press {
  return {
    action,
    seen,
    runId: recovery?.runId ?? "",
    runVersion: recovery?.runVersion ?? 0n,
    requestId: newRequestId(),
  };
}

type Answer = { wakeup?: Wakeup | undefined };
type Call = (client: Client<typeof RecoveryService>, p: Press) => Promise<Answer>;

// Each call carries what the person saw: something newer refuses it.
const calls: Record<number, Call> = {
  [UserAction.RETRY_NOW]: (client, p) => client.retryNow(ofWakeup(p)),
  [UserAction.CANCEL_WAIT]: (client, p) => client.cancelWait(ofWakeup(p)),
  [UserAction.STOP_RUN]: (client, p) =>
    client.stopRun({ runId: p.runId, expectedVersion: p.runVersion, requestId: p.requestId }),
  [UserAction.RESUME_SESSION]: (client, p) => client.resumeSession(ofSession(p)),
  [UserAction.START_FRESH]: (client, p) => client.startFresh(ofSession(p)),
} satisfies Record<Exclude<UserAction, UserAction.UNSPECIFIED>, Call>;

function ofWakeup({ seen, requestId }: Press) {
  return { wakeupId: seen.wakeupId, expectedVersion: seen.version, requestId };
}

function ofSession({ seen, requestId }: Press) {
  return { sessionId: seen.sessionId, expectedGeneration: seen.generation, requestId };
}

/** Carries a press out. It answers with the wakeup that now stands for the session. */
export async function perform(client: Client<typeof RecoveryService>, p: Press): Promise<Answer> {
  const call = calls[p.action];
  if (!call) throw new Error(`no call for action ${p.action}`);
  return call(client, p);
}

/** The actions that this page can carry out, in the order of their buttons. */
export function known(actions: readonly UserAction[]): UserAction[] {
  return actions.filter((a) => calls[a] !== undefined).sort((a, b) => a - b);
}

// Nothing is urged upon somebody whose agent works, or is done.
const urged = new Set([
  WakeupStatus.SCHEDULED_RETRY,
  WakeupStatus.PARKED,
  WakeupStatus.FAILED,
  WakeupStatus.TIMED_OUT,
]);

/** The one action that is the likely wish; undefined if there is no such. */
export function primaryOf(actions: readonly UserAction[], status: WakeupStatus) {
  if (!urged.has(status)) return undefined;
  const wishes = [UserAction.RETRY_NOW, UserAction.RESUME_SESSION, UserAction.START_FRESH];
  return wishes.find((a) => actions.includes(a));
}

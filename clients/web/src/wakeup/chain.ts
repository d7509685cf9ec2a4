import {
  type Run,
  RunOutcome,
  RunState,
  StopReason,
  type Wakeup,
  WakeupStatus,
} from "@gen/recovery_pb";

/** What a link of the chain shows. */
export type LinkState =
  | "failed"
  | "running"
  | "waiting"
  | "succeeded"
  | "cancelled"
  | "unknown"
  | "notSent";

/** One run in the chain, or the one to come. */
export interface ChainLink {
  /** Which run of its wakeup, from 1. */
  ordinal: number;
  state: LinkState;
}

const lastRun: Record<number, LinkState> = {
  [WakeupStatus.RUNNING]: "running",
  [WakeupStatus.COMPLETED]: "succeeded",
  [WakeupStatus.CANCELLED]: "cancelled",
};

/**
 * The chain of a list's row, which does not carry its runs: a wakeup completes
 * with its first success, so every run before the last ended without one.
 */
export function chainOfWakeup(w: Wakeup): ChainLink[] {
  const links: ChainLink[] = [];
  for (let n = 1; n < w.runCount; n++) links.push({ ordinal: n, state: "failed" });
  if (w.runCount > 0) links.push({ ordinal: w.runCount, state: lastStateOf(w) });
  if (runsAgain(w.status)) links.push({ ordinal: w.runCount + 1, state: "waiting" });
  return links;
}

function lastStateOf(w: Wakeup): LinkState {
  const ambiguous = w.lastDecision?.stopReason === StopReason.AMBIGUOUS_DELIVERY;
  if (w.status === WakeupStatus.CANCELLED && w.lastDecision) return "failed";
  return lastRun[w.status] ?? (ambiguous ? "unknown" : "failed");
}

function runsAgain(status: WakeupStatus): boolean {
  return (
    status === WakeupStatus.QUEUED ||
    status === WakeupStatus.SCHEDULED_RETRY ||
    status === WakeupStatus.PARKED
  );
}

/** What one run shows. */
export function stateOfRun(run: Run): LinkState {
  if (run.state === RunState.LOST) return "unknown";
  switch (run.outcome) {
    case RunOutcome.SUCCEEDED:
      return "succeeded";
    case RunOutcome.FAILED:
      return "failed";
    case RunOutcome.NOT_SENT:
      return "notSent";
    case RunOutcome.CANCELLED:
      return "cancelled";
    case RunOutcome.UNSPECIFIED:
      return run.state === RunState.SETTLED ? "unknown" : "running";
    default:
      return "unknown";
  }
}

/** The chain as it was, once the runs themselves are known, oldest first. */
export function chainOfRuns(w: Wakeup, runs: readonly Run[]): ChainLink[] {
  const links = runs.map((r) => ({ ordinal: r.ordinal, state: stateOfRun(r) }));
  const last = links.at(-1)?.ordinal ?? 0;
  if (runsAgain(w.status)) links.push({ ordinal: last + 1, state: "waiting" });
  return links;
}

/** The links that fit, newest last, and how many earlier ones are left out. */
export function shorten(links: readonly ChainLink[], most: number) {
  return { earlier: Math.max(0, links.length - most), links: links.slice(-most) };
}

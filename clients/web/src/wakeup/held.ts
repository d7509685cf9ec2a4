import type { Wakeup } from "@gen/recovery_pb";

/** A row of the list that may be out of step with the newest data on purpose. */
export interface HeldRow {
  wakeup: Wakeup;
  /** It left the filter while someone pointed at the list. */
  left: boolean;
}

/** Rows that stay in their places, and how many newer ones wait behind them. */
export interface HeldList {
  rows: HeldRow[];
  newCount: number;
}

/**
 * Keeps the rows of shown in their places, with their newest data, while
 * someone points at them: a row that moves under a finger gets the wrong press.
 */
export function hold(shown: readonly Wakeup[], latest: readonly Wakeup[]): HeldList {
  const byId = new Map(latest.map((w) => [w.wakeupId, w]));
  const rows = shown.map((w) => {
    const now = byId.get(w.wakeupId);
    return { wakeup: now ?? w, left: now === undefined };
  });
  const known = new Set(shown.map((w) => w.wakeupId));
  return { rows, newCount: latest.filter((w) => !known.has(w.wakeupId)).length };
}

/** The rows as they are, nothing held back. */
export function release(latest: readonly Wakeup[]): HeldList {
  return { rows: latest.map((wakeup) => ({ wakeup, left: false })), newCount: 0 };
}

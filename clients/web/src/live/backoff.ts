const FIRST_MS = 500;
const LONGEST_MS = 15_000;

/**
 * How long to wait before the nth attempt to reconnect (from 0), in
 * milliseconds: doubling, capped, and spread by spread in [0,1) so that many
 * browsers do not return at once after a restart.
 */
export function backoffMs(attempt: number, spread: number): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 16));
  return Math.round(full * (0.5 + spread / 2));
}

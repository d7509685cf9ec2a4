/** How far past its deadline a wait is before it is called overdue, in milliseconds. */
export const OVERDUE_AFTER_MS = 10_000;

/** What a deadline looks like at one moment. Durations are whole seconds. */
export type Countdown =
  | { phase: "counting"; seconds: number }
  | { phase: "due" }
  | { phase: "overdue"; seconds: number };

/**
 * The countdown to deadlineMs at nowMs, both by the server's clock. It shows
 * what is left rounded up, so that zero is shown only when the time has come.
 * It never says what happens next: only the server knows.
 */
export function countdownAt(deadlineMs: number, nowMs: number): Countdown {
  const left = deadlineMs - nowMs;
  if (left > 0) return { phase: "counting", seconds: Math.ceil(left / 1000) };
  const late = -left;
  if (late <= OVERDUE_AFTER_MS) return { phase: "due" };
  return { phase: "overdue", seconds: Math.floor(late / 1000) };
}

/** One unit of a duration, largest first; at most two are shown. */
export interface DurationPart {
  value: number;
  unit: "d" | "h" | "min" | "s";
}

const units = [
  { unit: "d", seconds: 86_400 },
  { unit: "h", seconds: 3_600 },
  { unit: "min", seconds: 60 },
  { unit: "s", seconds: 1 },
] as const;

/** Splits whole seconds into its two largest units; negative ones are 0 s. */
export function durationParts(seconds: number): DurationPart[] {
  let rest = Math.max(0, Math.floor(seconds));
  const first = units.findIndex((u) => rest >= u.seconds);
  if (first < 0) return [{ value: 0, unit: "s" }];
  const parts: DurationPart[] = [];
  for (const u of units.slice(first, first + 2)) {
    parts.push({ value: Math.floor(rest / u.seconds), unit: u.unit });
    rest %= u.seconds;
  }
  return parts;
}

/** How often a view of these deadlines must be drawn again, in milliseconds. */
export function tickInterval(deadlinesMs: Iterable<number>, nowMs: number): number {
  for (const deadline of deadlinesMs) {
    if (Math.abs(deadline - nowMs) <= 3_600_000) return 1_000;
  }
  return 60_000;
}

import { describe, expect, test } from "vitest";
import { countdownAt, durationParts, tickInterval } from "./countdown";

describe("countdownAt", () => {
  const deadline = 1_000_000;
  test.each([
    [-32_000, { phase: "counting", seconds: 32 }],
    [-31_999, { phase: "counting", seconds: 32 }],
    [-1, { phase: "counting", seconds: 1 }],
    [0, { phase: "due" }],
    [10_000, { phase: "due" }],
    [10_001, { phase: "overdue", seconds: 10 }],
    [3_600_000, { phase: "overdue", seconds: 3_600 }],
  ])("%i ms from the deadline", (from, want) => {
    expect(countdownAt(deadline, deadline + from)).toEqual(want);
  });

  test("never shows a negative number", () => {
    for (let t = -20_000; t <= 20_000; t += 137) {
      const c = countdownAt(0, t);
      if (c.phase !== "due") expect(c.seconds).toBeGreaterThan(0);
    }
  });
});

describe("durationParts", () => {
  test.each([
    [-5, "0s"],
    [0, "0s"],
    [59, "59s"],
    [60, "1min 0s"],
    [272, "4min 32s"],
    [3_600, "1h 0min"],
    [7_505, "2h 5min"],
    [86_400 * 3 + 4 * 3_600 + 59, "3d 4h"],
  ])("%i s", (seconds, want) => {
    expect(
      durationParts(seconds)
        .map((p) => `${p.value}${p.unit}`)
        .join(" "),
    ).toBe(want);
  });
});

describe("tickInterval", () => {
  test.each([
    ["nothing to count", [], 60_000],
    ["all more than an hour away", [3_600_001, 9e9], 60_000],
    ["one within the hour", [9e9, 3_600_000], 1_000],
    ["one overdue", [-5_000], 1_000],
    ["one overdue since yesterday", [-86_400_000], 60_000],
  ])("%s", (_, deadlines, want) => {
    expect(tickInterval(deadlines, 0)).toBe(want);
  });
});

import { Action, RunOutcome, RunState, StopReason, WakeupStatus } from "@gen/recovery_pb";
import { describe, expect, test } from "vitest";
import { failedRun, wakeup } from "../testing/fixtures";
import { chainOfRuns, chainOfWakeup, shorten, stateOfRun } from "./chain";

const S = WakeupStatus;
const text = (links: { ordinal: number; state: string }[]) =>
  links.map((l) => `${l.ordinal} ${l.state}`).join(", ");

describe("chainOfWakeup", () => {
  test.each([
    ["nothing claimed yet", S.QUEUED, 0, "1 waiting"],
    ["re-armed after a lost claim", S.QUEUED, 1, "1 failed, 2 waiting"],
    ["first run under way", S.RUNNING, 1, "1 running"],
    ["second run under way", S.RUNNING, 2, "1 failed, 2 running"],
    ["retry to come", S.SCHEDULED_RETRY, 1, "1 failed, 2 waiting"],
    ["parked", S.PARKED, 2, "1 failed, 2 failed, 3 waiting"],
    ["done at last", S.COMPLETED, 3, "1 failed, 2 failed, 3 succeeded"],
    ["failed", S.FAILED, 1, "1 failed"],
    ["timed out", S.TIMED_OUT, 1, "1 failed"],
    ["cancelled while running", S.CANCELLED, 1, "1 cancelled"],
    ["cancelled before it ran", S.CANCELLED, 0, ""],
    ["a status of a newer server", 99 as WakeupStatus, 1, "1 failed"],
  ])("%s", (_, status, runCount, want) => {
    expect(text(chainOfWakeup(wakeup({ status, runCount })))).toBe(want);
  });

  test("a cancelled wait keeps the failure that it waited after", () => {
    const w = wakeup({ status: S.CANCELLED, runCount: 1, lastDecision: { action: Action.RETRY } });
    expect(text(chainOfWakeup(w))).toBe("1 failed");
  });

  test("a delivery that may have happened is no plain failure", () => {
    const w = wakeup({
      status: S.FAILED,
      runCount: 1,
      lastDecision: { action: Action.STOP, stopReason: StopReason.AMBIGUOUS_DELIVERY },
    });
    expect(text(chainOfWakeup(w))).toBe("1 unknown");
  });
});

describe("stateOfRun", () => {
  test.each([
    [RunState.CLAIMED, RunOutcome.UNSPECIFIED, "running"],
    [RunState.SENDING, RunOutcome.UNSPECIFIED, "running"],
    [RunState.DELIVERED, RunOutcome.UNSPECIFIED, "running"],
    [RunState.SETTLED, RunOutcome.SUCCEEDED, "succeeded"],
    [RunState.SETTLED, RunOutcome.FAILED, "failed"],
    [RunState.SETTLED, RunOutcome.NOT_SENT, "notSent"],
    [RunState.SETTLED, RunOutcome.AMBIGUOUS, "unknown"],
    [RunState.SETTLED, RunOutcome.CANCELLED, "cancelled"],
    [RunState.SETTLED, RunOutcome.UNSPECIFIED, "unknown"],
    [RunState.SETTLED, 77 as RunOutcome, "unknown"],
    [RunState.LOST, RunOutcome.UNSPECIFIED, "unknown"],
  ])("state %i, outcome %i", (state, outcome, want) => {
    expect(stateOfRun(failedRun({ state, outcome }))).toBe(want);
  });
});

test("the real runs replace the guess", () => {
  const w = wakeup({ status: S.SCHEDULED_RETRY, runCount: 2 });
  const runs = [
    failedRun({ outcome: RunOutcome.NOT_SENT }),
    failedRun({ ordinal: 2, outcome: RunOutcome.FAILED }),
  ];
  expect(text(chainOfRuns(w, runs))).toBe("1 notSent, 2 failed, 3 waiting");
  expect(text(chainOfRuns(wakeup(), []))).toBe("1 waiting");
});

test("a long chain keeps its end", () => {
  const links = chainOfWakeup(wakeup({ status: S.RUNNING, runCount: 9 }));
  const short = shorten(links, 3);
  expect([short.earlier, text(short.links)]).toEqual([6, "7 failed, 8 failed, 9 running"]);
  expect(shorten(links, 20).earlier).toBe(0);
});

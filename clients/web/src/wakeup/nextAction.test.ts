import { Action, ReceiptKind, type Remedy, SendKind, WakeupStatus } from "@gen/recovery_pb";
import { describe, expect, test } from "vitest";
import { remedy } from "../i18n/outcomes";
import { status } from "../i18n/states";
import { at, NOW, retrying, stoppedAtQuota, wakeup } from "../testing/fixtures";
import { canCancelWait, nextActionOf } from "./nextAction";

test("a retry says which one it is, when, who says so and what it sends", () => {
  const next = nextActionOf(retrying());
  expect(next).toMatchObject({ text: "Retry 2 of 5", deadline: NOW + 32_000, needsPerson: false });
  expect(next.receipt?.kind).toBe(ReceiptKind.ESTIMATED);
  expect(next.note).toBe("Sends the prompt");
});

test("a retry of work that has begun never says that the prompt is sent", () => {
  const next = nextActionOf(retrying({ nextSend: SendKind.CONTINUE }));
  expect(next.note).toContain("continue instruction");
});

test("a wait for a reset is no retry", () => {
  const next = nextActionOf(
    retrying({
      lastDecision: { action: Action.WAIT_FOR_RESET, receipt: { kind: 1, source: "x" } },
    }),
  );
  expect(next.text).toBe("Runs again after the reset");
});

test("a retry without a budget invents none", () => {
  const retry = (ordinal: number, maxAttempts: number) =>
    nextActionOf(retrying({ lastDecision: { action: Action.RETRY, ordinal, maxAttempts } })).text;
  expect([retry(3, 0), retry(0, 0)]).toEqual(["Retry 3", "Runs again"]);
});

test("a stop shows the stated reset, without a countdown", () => {
  const next = nextActionOf(stoppedAtQuota());
  expect(next.deadline).toBeUndefined();
  expect(next.needsPerson).toBe(true);
  expect(next.note).toContain("2026-11-30 19:00:00 UTC");
  expect(next.receipt?.source).toBe("resets 7pm (UTC)");
});

test.each(remedy.values.map((r) => [remedy.text(r), r] as [string, Remedy]))(
  "a stop names its remedy: %s",
  (text, r) => {
    const w = stoppedAtQuota({ lastDecision: { action: Action.STOP, remedy: r } });
    expect(nextActionOf(w).text).toBe(text);
  },
);

test("a failure without a decision goes to a maintainer", () => {
  expect(nextActionOf(wakeup({ status: WakeupStatus.FAILED })).text).toBe("Ask a maintainer");
});

test("an end says why, in words", () => {
  const next = nextActionOf(wakeup({ status: WakeupStatus.CANCELLED, statusReason: "superseded" }));
  expect(next).toMatchObject({ text: "Nothing more", note: "A newer prompt replaced it." });
});

test("parked wakes at its deadline, or needs a person", () => {
  const parked = { status: WakeupStatus.PARKED };
  expect(nextActionOf(wakeup({ ...parked, dueAt: at(600) }))).toMatchObject({
    deadline: NOW + 600_000,
    needsPerson: false,
  });
  expect(nextActionOf(wakeup(parked)).needsPerson).toBe(true);
});

describe("every status", () => {
  test.each(status.values.map((s) => [status.slug(s), s] as [string, WakeupStatus]))(
    "%s",
    (_, s) => {
      const next = nextActionOf(wakeup({ status: s }));
      expect(next.text).not.toBe("");
      expect(next.text).not.toBe("The server did not say");
    },
  );

  test("of a newer server", () => {
    expect(nextActionOf(wakeup({ status: 99 as WakeupStatus })).text).toBe(
      "The server did not say",
    );
  });
});

test("only a wait can be cancelled", () => {
  const can = status.values.filter((s) => canCancelWait(wakeup({ status: s })));
  expect(can.map((s) => status.slug(s))).toEqual(["queued", "scheduled_retry", "parked"]);
});

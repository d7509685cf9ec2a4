import {
  Action,
  DeliveryMode,
  ParkReason,
  ReceiptKind,
  type Remedy,
  SendKind,
  WakeupStatus,
} from "@gen/recovery_pb";
import { describe, expect, test } from "vitest";
import { remedy } from "../i18n/outcomes";
import { status } from "../i18n/states";
import { at, NOW, retrying, stoppedAtQuota, wakeup } from "../testing/fixtures";
import { nextActionOf } from "./nextAction";

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

test("a wait for another run's retries does not look like a retry of its own", () => {
  const next = nextActionOf(retrying({ waitsForRunId: "r-9" }));
  expect(next.text).toBe("Waits for another run");
  expect(next.deadline).toBe(NOW + 32_000);
});

test.each([
  [ParkReason.RECOVERY_OFF, "Switch recovery on, or retry now", "Recovery is switched off"],
  [ParkReason.BUDGET_EXHAUSTED, "Raise the limit, or retry now", "limit that a person set"],
  [ParkReason.BLOCKED_PROVIDER_ACTION_REQUIRED, "Log in again on its host", "provider refuses"],
])("parked for a person, reason %i", (parkReason, text, note) => {
  const next = nextActionOf(
    wakeup({ status: WakeupStatus.PARKED, lastDecision: { parkReason, remedy: 3 } }),
  );
  expect(next.text).toBe(text);
  expect(next.note).toContain(note);
});

test("parked until an hour says why, and counts down to it", () => {
  const parkReason = ParkReason.OUTSIDE_RUN_WINDOW;
  const parked = { status: WakeupStatus.PARKED, dueAt: at(600), lastDecision: { parkReason } };
  expect(nextActionOf(wakeup(parked))).toMatchObject({
    text: "Wakes by itself",
    deadline: NOW + 600_000,
    note: "Runs may not begin at this hour. Sends the prompt",
  });
});

test("what is queued says who has to start it, and what it sends", () => {
  expect(nextActionOf(wakeup({ nextSend: SendKind.FRESH }))).toMatchObject({
    text: "Waits for its supervisor to start it",
    note: "Sends the prompt in a new session, which first looks at what is there",
  });
  expect(nextActionOf(wakeup({ delivery: DeliveryMode.WORKER })).text).toBe(
    "Waits for a worker to start it",
  );
});

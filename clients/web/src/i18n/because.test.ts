import { expect, test } from "vitest";
import { endingText, readFact, sourceText } from "./because";

test.each([
  ["code=provider_overloaded", "cause", "Provider overloaded"],
  ["boundary=effect_free", "safe because", "the run is proved to have done nothing"],
  ["gate=unclassified", "stopped by the safety gate", "The cause is not known."],
  ["reason=short_retry", "because", "A short failure, and retries are left."],
  ["action=wait", "so", "Wait for the stated reset"],
  ["action=stop", "so", "Stop for a person"],
  ["receipt=stated", "the time is", "stated by the provider"],
  ["hint=2026-11-30T19:13:14.5Z", "stated time", "2026-11-30 19:13:14 UTC"],
  ["retry=1/5", "retry", "1/5"],
  ["row=renewable", "what the policy does with this cause", "waits for its reset"],
  [
    "consent=max_total_wait",
    "limit on unattended work",
    "it would wait longer in all than was allowed",
  ],
  ["short_phase=owned_by_other", "who tries the provider", "another run, for all"],
  ["reason=launch_retry", "because", "The host could not start the agent, and nothing was sent."],
  ["reason=recovery_off", "because", "Recovery is switched off in this workspace."],
])("%s", (entry, label, found) => {
  expect(readFact(entry)).toEqual({ entry, label, found });
});

test.each([
  ["new_key=1", "new_key", "1"],
  ["hint=beyond_horizon", "stated time", "beyond_horizon"],
  ["reason=new_reason=x", "because", "new_reason=x"],
  ["constructor=1", "constructor", "1"],
  ["lonely", "lonely", ""],
  ["", "", ""],
])("what is not known stays as it is: %s", (entry, label, found) => {
  expect(readFact(entry)).toEqual({ entry, label, found });
});

test("an ending is told in words", () => {
  expect(endingText("superseded")).toBe("A newer prompt replaced it.");
  expect(endingText("wait_needs_consent")).toContain("nobody agreed");
  expect(endingText("stopped")).toBe("A person stopped its run.");
  expect(endingText("odd_reason")).toBe("odd_reason");
});

test("what made a wakeup is told in words", () => {
  expect(sourceText("user_start_fresh")).toBe("a person who started fresh");
  expect(sourceText("constructor")).toBe("constructor");
});

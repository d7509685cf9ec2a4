import { type Action, RunOutcome, type StopReason, WakeupStatus } from "@gen/recovery_pb";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Backend } from "../testing/backend";
import { failedRun, retrying, stoppedAtQuota } from "../testing/fixtures";
import { openPage, textOf } from "../testing/render";

function withRetry(b: Backend) {
  b.wakeups = [retrying()];
  b.runs = [failedRun()];
}

const openTab = (name: string) => fireEvent.click(screen.getByRole("tab", { name }));

test("the head says what failed, what comes next, and where the time comes from", async () => {
  const page = openPage("/wakeups/w-1", withRetry);
  const head = (await screen.findByRole("heading", { level: 1 })).closest("section");
  await page.live();
  const text = textOf(head);
  for (const part of [
    "Retry scheduled",
    "Provider overloaded",
    "provider_overloaded · transient",
    "Retry 2 of 5",
    "Sends the prompt",
    "Where the time comes from: estimated by the policy · interactive@1",
  ]) {
    expect(text).toContain(part);
  }
});

test("the timeline goes from dispatch over evidence and rule to the decision, for each run", async () => {
  openPage("/wakeups/w-1", (b) => {
    withRetry(b);
    const second = { runId: "r-2", ordinal: 2, outcome: RunOutcome.SUCCEEDED };
    b.runs = [failedRun({ ...second, classification: undefined as never }), failedRun()];
  });
  await screen.findByRole("heading", { name: "Run 1" });
  const headings = screen.getAllByRole("heading", { level: 3 }).map(textOf);
  expect(headings).toEqual(["Run 1", "Run 2", "Next"]);
  const first = screen.getByRole("heading", { name: "Run 1" }).closest("li");
  const terms = [...(first?.querySelectorAll("dt") ?? [])].map(textOf);
  expect(terms).toEqual(["Dispatch", "Evidence", "Rule", "Decision"]);
  expect(textOf(first)).toContain("claude.overloaded");
  expect(textOf(first)).toContain("Safe because the run is proved to have done nothing");
  const second = screen.getByRole("heading", { name: "Run 2" }).closest("li");
  expect(textOf(second)).toContain("succeeded");
  expect([...(second?.querySelectorAll("dt") ?? [])].map(textOf)).toEqual(["Dispatch"]);
});

test("attempts list what each run is known to have done", async () => {
  openPage("/wakeups/w-1?tab=attempts", withRetry);
  const item = (await screen.findByText("r-1")).closest("li");
  expect(textOf(item)).toContain("Used toolsnone, proved");
  expect(textOf(item)).toContain("Took35 s");
});

test("evidence is shown verbatim, with what was removed marked", async () => {
  openPage("/wakeups/w-1?tab=evidence", withRetry);
  const list = await screen.findByRole("list", { name: /Signals/ });
  expect(textOf(list)).toContain("stderrAPI Error: 529 key [redacted:api_key]");
  expect(textOf(list.querySelector("mark"))).toBe("[redacted:api_key]");
  expect(textOf(list)).toContain("exit code 1");
});

test("the decision shows why not otherwise and the policy that it was made under", async () => {
  const page = openPage("/wakeups/w-1", withRetry);
  await screen.findByRole("heading", { level: 1 });
  openTab("Decision");
  const why = (await screen.findByText("Why this, and not otherwise")).closest("section");
  const facts = [...(why?.querySelectorAll("li") ?? [])].map(textOf);
  expect(facts).toEqual([
    "causeProvider overloaded",
    "safe becausethe run is proved to have done nothing",
    "delay before jitter10s",
  ]);
  const policy = screen.getByText("Policy when the prompt began").closest("section");
  expect(textOf(policy)).toContain("Declared repeatableyes");
  expect(page.address()).toBe("/wakeups/w-1?tab=decision");
});

test("raw keeps big numbers whole and sorts keys on request", async () => {
  openPage("/wakeups/w-1?tab=raw", (b) => {
    b.wakeups = [retrying({ version: 9_007_199_254_740_993n })];
  });
  const raw = await screen.findByRole("region", { name: "As the server sent it" });
  expect(raw.querySelector("pre")?.textContent).toContain('"version": "9007199254740993"');
  fireEvent.click(within(raw).getByRole("switch", { name: "Sort keys" }));
  const parsed = JSON.parse(raw.querySelector("pre")?.textContent ?? "") as object;
  expect(Object.keys(parsed)).toEqual(["runs", "wakeup"]);
});

test("an address with an unknown tab shows the timeline", async () => {
  openPage("/wakeups/w-1?tab=gremlins", withRetry);
  await screen.findByRole("heading", { name: "Run 1" });
  expect(screen.getByRole("tab", { name: "Timeline" }).getAttribute("aria-selected")).toBe("true");
});

test("a stop names its reason and the reset that nobody waits for", async () => {
  openPage("/wakeups/w-quota", (b) => {
    b.wakeups = [stoppedAtQuota()];
  });
  const head = (await screen.findByRole("heading", { level: 1 })).closest("section");
  expect(textOf(head)).toContain("The policy does not act on this cause by itself.");
  expect(textOf(head)).toContain("2026-11-30 19:00:00 UTC; nothing waits for it");
  expect(within(head as HTMLElement).queryByRole("timer")).toBeNull();
});

test("an overdue retry says how to take it over", async () => {
  const page = openPage("/wakeups/w-1", withRetry);
  await screen.findByRole("heading", { level: 1 });
  await page.live();
  expect(screen.queryByText("agentctl run --continue w-1")).toBeNull();
  page.advance(60);
  expect(screen.getByText("agentctl run --continue w-1")).toBeTruthy();
});

test("a wakeup that does not exist is a calm page with a way back", async () => {
  openPage("/wakeups/w-none");
  await screen.findByText("No such wakeup");
  expect(screen.queryByRole("alert")).toBeNull();
  expect(screen.getAllByRole("link", { name: "All wakeups" }).length).toBeGreaterThan(0);
});

test("a change of the open wakeup arrives by itself and is announced", async () => {
  const page = openPage("/wakeups/w-1", withRetry);
  await screen.findByRole("heading", { level: 1 });
  await page.live();
  act(() => page.backend.put(retrying({ status: WakeupStatus.COMPLETED, version: 6n })));
  await screen.findAllByText("Done");
  expect(textOf(screen.getByTestId("announcer"))).toBe("Claude Code: Completed");
});

test("the title says which wakeup it is and how it stands", async () => {
  openPage("/wakeups/w-1", withRetry);
  await waitFor(() => expect(document.title).toBe("Retry scheduled · Claude Code · Recourse"));
});

test("following a link moves the focus to the new page", async () => {
  openPage("/wakeups", withRetry);
  fireEvent.click(await screen.findByRole("link", { name: /Claude Code/ }));
  await screen.findByRole("heading", { name: "Run 1" });
  await waitFor(() => expect(document.activeElement?.id).toBe("main"));
});

test("Escape goes back to the list", async () => {
  const page = openPage("/wakeups/w-1", withRetry);
  await screen.findByRole("heading", { level: 1 });
  fireEvent.keyDown(document.body, { key: "Escape" });
  await waitFor(() => expect(page.address()).toBe("/wakeups"));
});

test("values of a newer server do not break the page", async () => {
  openPage("/wakeups/w-1?tab=decision", (b) => {
    b.wakeups = [
      retrying({
        lastDecision: { action: 66 as Action, stopReason: 67 as StopReason, because: ["odd"] },
      }),
    ];
  });
  await screen.findByText("ACTION_66");
  expect(screen.getAllByText("STOP_REASON_67").length).toBeGreaterThan(0);
});

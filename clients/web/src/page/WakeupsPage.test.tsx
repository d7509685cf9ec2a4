import { Code, ConnectError } from "@connectrpc/connect";
import { Code as Cause } from "@gen/common_pb";
import { Attention, WakeupStatus } from "@gen/recovery_pb";
import { Role } from "@gen/workspace_service_pb";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { at, retrying, running, stoppedAtQuota, wakeup } from "../testing/fixtures";
import { openPage, textOf } from "../testing/render";
import { STARTERS } from "./NothingHere";

const rowTexts = () => screen.getAllByRole("row").slice(1).map(textOf);

test("a row says status, agent, chain, cause, what comes next with its countdown, and since when", async () => {
  openPage("/wakeups", (b) => {
    b.wakeups = [retrying()];
  });
  await screen.findByRole("table");
  const row = rowTexts()[0] ?? "";
  for (const part of [
    "Retry scheduled",
    "Claude Code",
    "sonnet · shop",
    "run 1failed",
    "run 2waiting",
    "Provider overloaded",
    "provider_overloaded",
    "Retry 2 of 5",
    "estimated by the policy",
    "1 min ago",
  ]) {
    expect(row).toContain(part);
  }
});

test("a countdown ticks for the eye, stands still for the ear, and invents nothing at zero", async () => {
  const page = openPage("/wakeups", (b) => {
    b.wakeups = [retrying()];
  });
  const timer = await screen.findByRole("timer");
  await page.live();
  const tick = within(timer).getByTestId("tick");
  await waitFor(() => expect(textOf(tick)).toBe("in 32 s"));
  expect(tick.getAttribute("aria-hidden")).toBe("true");
  const spoken = () => textOf(timer).replace(textOf(tick), "");
  expect(spoken()).toBe("until 14:00:32 UTC");
  page.advance(31);
  expect(textOf(tick)).toBe("in 1 s");
  expect(spoken()).toBe("until 14:00:32 UTC");
  page.advance(1);
  expect(textOf(tick)).toBe("due, waiting for server");
  page.advance(25);
  expect(textOf(tick)).toBe("overdue by 25 s");
  expect(screen.getByText("Retry scheduled", { selector: "span" })).toBeTruthy();
});

test("a stop with a stated reset has no countdown", async () => {
  openPage("/wakeups", (b) => {
    b.wakeups = [stoppedAtQuota()];
  });
  await screen.findByRole("table");
  expect(screen.queryByRole("timer")).toBeNull();
});

test("a change arrives without a reload, is announced once, and nothing polls", async () => {
  const page = openPage("/wakeups", (b) => {
    b.wakeups = [retrying()];
  });
  await screen.findByRole("table");
  await page.live();
  await waitFor(() => expect(page.services.query.isFetching()).toBe(0));
  const before = page.backend.calls.length;
  const w = retrying({ status: WakeupStatus.RUNNING, runCount: 2, version: 5n, attention: 0 });
  act(() => page.backend.put(w));
  await screen.findByText("Run 2 is under way");
  const read = page.backend.calls.slice(before).sort();
  expect(read).toEqual(["listRecoveries", "listRecoveries", "listWakeups"]);
  expect(textOf(screen.getByTestId("announcer"))).toBe("Claude Code: Running");
  expect(screen.getByTestId("announcer").getAttribute("aria-live")).toBe("polite");
});

test("a new row waits behind a count while the pointer is on the list", async () => {
  const page = openPage("/wakeups", (b) => {
    b.wakeups = [retrying()];
  });
  const table = await screen.findByRole("table");
  await page.live();
  fireEvent.pointerEnter(table.parentElement as Element, { pointerType: "mouse" });
  act(() => page.backend.put(wakeup({ wakeupId: "w-2" })));
  fireEvent.click(await screen.findByRole("button", { name: "1 new" }));
  await waitFor(() => expect(rowTexts()).toHaveLength(2));
  expect(rowTexts()[0]).toContain("Queued");
  expect(screen.queryByRole("button", { name: "1 new" })).toBeNull();
});

test("filters live in the address and go to the server", async () => {
  const page = openPage("/wakeups?status=failed", (b) => {
    b.wakeups = [retrying(), stoppedAtQuota()];
  });
  await screen.findByRole("table");
  expect(rowTexts()).toHaveLength(1);
  fireEvent.click(screen.getByRole("checkbox", { name: "Retry scheduled" }));
  await waitFor(() => expect(rowTexts()).toHaveLength(2));
  expect(page.address()).toBe("/wakeups?status=scheduled_retry,failed");
  fireEvent.change(screen.getByRole("combobox"), { target: { value: "quota_limited" } });
  await waitFor(() => expect(rowTexts()).toHaveLength(1));
  expect(page.address()).toBe("/wakeups?status=scheduled_retry,failed&code=quota_limited");
  expect(page.backend.listed.at(-1)).toMatchObject({
    statuses: [WakeupStatus.SCHEDULED_RETRY, WakeupStatus.FAILED],
    code: Cause.QUOTA_LIMITED,
  });
});

test("a live row obeys the filter", async () => {
  const page = openPage("/wakeups?status=scheduled_retry", (b) => {
    b.wakeups = [retrying(), retrying({ wakeupId: "w-2" })];
  });
  await screen.findByRole("table");
  await page.live();
  act(() => page.backend.put(retrying({ status: WakeupStatus.COMPLETED })));
  await waitFor(() => expect(rowTexts()).toHaveLength(1));
});

test("pages go on by token, and back to the newest", async () => {
  const page = openPage("/wakeups", (b) => {
    b.wakeups = Array.from({ length: 60 }, (_, n) => wakeup({ wakeupId: `w-${n}` }));
  });
  fireEvent.click(await screen.findByRole("button", { name: "Older" }));
  await waitFor(() => expect(rowTexts()).toHaveLength(10));
  expect(page.address()).toBe("/wakeups?page=50");
  fireEvent.click(screen.getByRole("button", { name: "Newest" }));
  await waitFor(() => expect(rowTexts()).toHaveLength(50));
});

test("an empty list teaches the two commands", async () => {
  openPage("/wakeups");
  await screen.findByText("Nothing has run yet");
  for (const text of STARTERS) {
    expect(screen.getByText(text)).toBeTruthy();
    expect(screen.getByRole("button", { name: `Copy ${text}` })).toBeTruthy();
  }
});

test("no match offers to clear the filters", async () => {
  const page = openPage("/wakeups?code=repo_error", (b) => {
    b.wakeups = [retrying()];
  });
  await screen.findByText("No wakeup matches these filters");
  const panel = screen.getByText("No wakeup matches these filters").closest("section");
  fireEvent.click(within(panel as HTMLElement).getByRole("button", { name: "Clear filters" }));
  await screen.findByRole("table");
  expect(page.address()).toBe("/wakeups");
});

test("an error is shown in place with its request id, and can be tried again", async () => {
  const page = openPage("/wakeups", (b) => {
    b.wakeups = [retrying()];
    b.failure = new ConnectError("a fault of ours", Code.Internal, { "x-request-id": "req-9" });
  });
  const alert = await screen.findByRole("alert");
  expect(textOf(alert)).toContain("Could not load wakeups");
  expect(textOf(alert)).toContain("Request req-9");
  expect(within(alert).getByRole("button", { name: "Copy error" })).toBeTruthy();
  page.backend.failure = undefined;
  fireEvent.click(within(alert).getByRole("button", { name: "Try again" }));
  await screen.findByRole("table");
});

test("without a login the page says which command makes one", async () => {
  openPage("/wakeups", (b) => {
    b.failure = new ConnectError("no credential", Code.Unauthenticated);
  });
  await screen.findByText("You are not logged in");
  expect(screen.getByText("agentctl open")).toBeTruthy();
});

test("a session that ends while the page is open is noticed by the stream", async () => {
  const page = openPage("/wakeups");
  await page.live();
  page.backend.failure = new ConnectError("the session ended", Code.Unauthenticated);
  act(() => {
    page.services.live.stop();
    page.services.live.start();
  });
  await screen.findByText("You are not logged in");
  expect(page.services.live.read().phase).toBe("off");
});

test("an unknown status and cause of a newer server are shown by their raw names", async () => {
  openPage("/wakeups", (b) => {
    b.wakeups = [
      wakeup({ status: 77 as WakeupStatus, lastClassification: { code: 99 as Cause } }),
      retrying({ wakeupId: "w-2", dueAt: at(5) }),
    ];
  });
  await screen.findByRole("table");
  expect(rowTexts()[0]).toContain("WAKEUP_STATUS_77");
  expect(rowTexts()[0]).toContain("CODE_99");
});

test("the keyboard moves through the rows, to the filters and to the help", async () => {
  openPage("/wakeups", (b) => {
    b.wakeups = [retrying(), stoppedAtQuota()];
  });
  await screen.findByRole("table");
  const press = (key: string) =>
    fireEvent.keyDown(document.activeElement ?? document.body, { key });
  press("j");
  const links = screen.getAllByRole("link").filter((a) => a.hasAttribute("data-row"));
  expect(document.activeElement).toBe(links[0]);
  press("j");
  press("j");
  expect(document.activeElement).toBe(links[1]);
  press("k");
  expect(document.activeElement).toBe(links[0]);
  press("/");
  expect(document.activeElement?.getAttribute("type")).toBe("checkbox");
  press("?");
  const dialog = await screen.findByRole("dialog");
  expect(textOf(dialog)).toContain("Next wakeup");
});

test("single keys can be turned off", async () => {
  const page = openPage("/wakeups", (b) => {
    b.wakeups = [retrying()];
  });
  await screen.findByRole("table");
  page.services.keysWanted.set(false);
  fireEvent.keyDown(document.body, { key: "j" });
  expect(document.activeElement).toBe(document.body);
  fireEvent.keyDown(document.body, { key: "?" });
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("Live updates Off stops the stream and the countdowns, and says as of when", async () => {
  const page = openPage("/wakeups", (b) => {
    b.wakeups = [retrying()];
  });
  await screen.findByRole("table");
  await page.live();
  fireEvent.click(screen.getByRole("switch", { name: /Live updates/ }));
  await screen.findByText("Live updates are Off. What you see is as of 14:00:00 UTC.");
  await waitFor(() => expect(page.backend.watching).toBe(0));
  expect(textOf(screen.getByTestId("tick"))).toBe("at 14:00:32 UTC");
  const calls = page.backend.calls.length;
  page.backend.put(retrying({ status: WakeupStatus.RUNNING }));
  window.dispatchEvent(new Event("focus"));
  window.dispatchEvent(new Event("online"));
  fireEvent.click(screen.getByRole("button", { name: "Refresh" }));
  await screen.findByText("Running", { selector: "span" });
  expect(page.backend.calls.length).toBeGreaterThan(calls);
  fireEvent.click(screen.getByRole("switch", { name: /Live updates/ }));
  await page.live();
});

test("the title names the page", async () => {
  openPage("/wakeups");
  await waitFor(() => expect(document.title).toBe("Wakeups · Recourse"));
});

test("the page starts with a way past the header, and one heading", async () => {
  openPage("/wakeups");
  await screen.findByText("Nothing has run yet");
  const skip = screen.getByRole("link", { name: "Skip to content" });
  const target = document.getElementById(skip.getAttribute("href")?.slice(1) ?? "");
  expect(target?.tagName).toBe("MAIN");
  expect(screen.getAllByRole("heading", { level: 1 })).toHaveLength(1);
});

const strip = () => screen.findByRole("navigation", { name: "What they need" });
const needsLink = async (name: RegExp) => within(await strip()).findByRole("link", { name });

test("the strip counts what needs a person and what waits, and the title says it", async () => {
  const page = openPage("/wakeups", (b) => {
    b.wakeups = [retrying(), stoppedAtQuota(), wakeup({ wakeupId: "w-3", sessionId: "s-3" })];
  });
  await needsLink(/^Needs you\s*1$/);
  await needsLink(/^Waiting\s*1$/);
  await waitFor(() => expect(document.title).toBe("(1) Wakeups · Recourse"));
  await page.live();
  act(() => page.backend.put(stoppedAtQuota({ attention: Attention.UNSPECIFIED })));
  await needsLink(/^Needs you\s*0$/);
  expect(document.title).toBe("Wakeups · Recourse");
});

test("what needs a person is read in one call, and what comes later is said once", async () => {
  const page = openPage("/wakeups?needs=person", (b) => {
    b.wakeups = [1, 2, 3].map((n) => stoppedAtQuota({ wakeupId: `w-${n}`, sessionId: `s-${n}` }));
  });
  const said: string[] = [];
  page.services.announcer.subscribe(() => said.push(page.services.announcer.read()));
  await waitFor(() => expect(rowTexts()).toHaveLength(3));
  expect(page.backend.calls).not.toContain("getWakeup");
  await page.live();
  expect(said).toEqual([]);
  act(() => page.backend.put(stoppedAtQuota({ wakeupId: "w-4", sessionId: "s-4" })));
  await waitFor(() => expect(rowTexts()).toHaveLength(4));
  await waitFor(() => expect(said).toEqual(["1 new wakeup"]));
});

test("more than one page is counted as more", async () => {
  openPage("/wakeups", (b) => {
    b.wakeups = Array.from({ length: 51 }, (_, n) =>
      stoppedAtQuota({ wakeupId: `w-${n}`, sessionId: `s-${n}` }),
    );
  });
  await needsLink(/^Needs you\s*50\+$/);
});

test("Needs you shows the newest wakeups that need a person, by its address", async () => {
  const page = openPage("/wakeups", (b) => {
    const older = { wakeupId: "w-old", generation: 0n };
    b.wakeups = [retrying(), stoppedAtQuota(), stoppedAtQuota(older)];
  });
  fireEvent.click(await needsLink(/^Needs you/));
  await waitFor(() => expect(page.address()).toBe("/wakeups?needs=person"));
  await waitFor(() => expect(rowTexts()).toHaveLength(1));
  expect(rowTexts()[0]).toContain("Usage limit reached");
  expect((await needsLink(/^Needs you/)).getAttribute("aria-current")).toBe("page");
  expect(screen.queryByRole("search")).toBeNull();
});

test.each([
  ["person", [], "All is well: nothing needs you", "No agent has stopped for a person"],
  [
    "person",
    [retrying()],
    "All is well: nothing needs you",
    "1 agent waits and goes on by itself. No agents are at work.",
  ],
  ["person", [running()], "All is well: nothing needs you", "1 agent is at work."],
  ["deadline", [], "Nothing waits", "No agent waits for a deadline"],
] as const)("nothing under ?needs=%s is told as good news", async (needs, wakeups, title, text) => {
  openPage(`/wakeups?needs=${needs}`, (b) => {
    b.wakeups = [...wakeups];
  });
  const panel = (await screen.findByText(title)).closest("section");
  await waitFor(() => expect(textOf(panel)).toContain(text));
});

const inRow = (name: string) => screen.findByRole("button", { name: `${name}: Claude Code` });

test("a waiting row can be retried in place, with the version that it shows", async () => {
  const page = openPage("/wakeups", (b) => {
    b.wakeups = [retrying()];
  });
  fireEvent.click(await inRow("Retry now"));
  await screen.findByText("Waits for its supervisor to start it");
  expect(page.backend.acted).toHaveLength(1);
  expect(page.backend.acted[0]).toMatchObject({ wakeupId: "w-1", expectedVersion: 4n });
  expect(page.address()).toBe("/wakeups");
});

test("a wait is cancelled in place after one question; Escape means no", async () => {
  const page = openPage("/wakeups", (b) => {
    b.wakeups = [retrying()];
  });
  fireEvent.click(await inRow("Cancel wait"));
  const yes = await screen.findByRole("button", { name: "Yes" });
  expect(document.activeElement).toBe(yes);
  fireEvent.keyDown(yes, { key: "Escape" });
  expect(page.backend.acted).toHaveLength(0);
  fireEvent.click(await inRow("Cancel wait"));
  fireEvent.click(await screen.findByRole("button", { name: "Yes" }));
  await screen.findByText("Cancelled", { selector: "span" });
  expect(page.backend.wakeups[0]?.status).toBe(WakeupStatus.CANCELLED);
});

test("a stale press in a row says so under that row", async () => {
  const page = openPage("/wakeups", (b) => {
    b.wakeups = [retrying(), retrying({ wakeupId: "w-2", sessionId: "s-2" })];
  });
  const [first] = await screen.findAllByRole("button", { name: "Retry now: Claude Code" });
  page.backend.wakeups = page.backend.wakeups.with(
    0,
    retrying({ status: WakeupStatus.COMPLETED, version: 9n }),
  );
  fireEvent.click(first as Element);
  const note = await screen.findByText(/It changed before you pressed/);
  const rows = screen.getAllByRole("row").slice(1);
  expect(rows.indexOf(note.closest("tr") as HTMLElement)).toBe(1);
  await waitFor(() => expect(textOf(note.closest("tr"))).toContain("→ Completed"));
});

test("a network failure in a row is shown there, and the same press can be tried again", async () => {
  const page = openPage("/wakeups", (b) => {
    b.wakeups = [retrying()];
  });
  const retry = await inRow("Retry now");
  page.backend.refusal = new ConnectError("Failed to fetch", Code.Unavailable);
  fireEvent.click(retry);
  const alert = await screen.findByRole("alert");
  fireEvent.click(within(alert).getByRole("button", { name: "Try again" }));
  await screen.findByText("Waits for its supervisor to start it");
  const [one, two] = page.backend.acted;
  expect(one?.requestId).toBe(two?.requestId);
});

test("r retries the row in focus", async () => {
  const page = openPage("/wakeups", (b) => {
    b.wakeups = [retrying(), retrying({ wakeupId: "w-2", sessionId: "s-2" })];
  });
  await screen.findAllByRole("button", { name: "Retry now: Claude Code" });
  fireEvent.keyDown(document.body, { key: "r" });
  expect(page.backend.acted).toHaveLength(0);
  fireEvent.keyDown(document.body, { key: "j" });
  fireEvent.keyDown(document.activeElement as Element, { key: "j" });
  fireEvent.keyDown(document.activeElement as Element, { key: "r" });
  await waitFor(() => expect(page.backend.acted[0]).toMatchObject({ wakeupId: "w-2" }));
});

test("somebody who may only look gets no buttons in the rows", async () => {
  const page = openPage("/wakeups", (b) => {
    b.wakeups = [retrying()];
    b.role = Role.VIEWER;
  });
  await needsLink(/^Waiting\s*1$/);
  await waitFor(() => expect(page.services.query.isFetching()).toBe(0));
  expect(screen.queryByRole("button", { name: /^(Retry now|Cancel wait):/ })).toBeNull();
});

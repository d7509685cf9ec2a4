import { Code, ConnectError } from "@connectrpc/connect";
import {
  Action,
  Attention,
  DeliveryMode,
  SendKind,
  StopReason,
  WakeupStatus,
} from "@gen/recovery_pb";
import { Role } from "@gen/workspace_service_pb";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Backend } from "../testing/backend";
import {
  at,
  failedRun,
  liveRun,
  retrying,
  running,
  stoppedAtQuota,
  wakeup,
} from "../testing/fixtures";
import { openPage, textOf } from "../testing/render";

function waiting(b: Backend) {
  b.wakeups = [retrying()];
  b.runs = [failedRun()];
}

function underWay(b: Backend) {
  b.wakeups = [running()];
  b.runs = [liveRun()];
}

const failed = (init: Parameters<typeof stoppedAtQuota>[0] = {}) =>
  stoppedAtQuota({ wakeupId: "w-1", sessionId: "s-1", version: 6n, ...init });

const buttons = async () => {
  const group = await screen.findByRole("group", { name: "What you can do" });
  return within(group).getAllByRole("button");
};
const press = async (name: string) => fireEvent.click(await screen.findByRole("button", { name }));

/** Everything the live region says from now on. */
function listen(page: ReturnType<typeof openPage>): string[] {
  const said: string[] = [];
  page.services.announcer.subscribe(() => said.push(page.services.announcer.read()));
  return said;
}

test.each([
  ["waiting", waiting, ["Retry now", "Cancel wait", "Start fresh"], "Retry now"],
  [
    "parked without a deadline",
    (b: Backend) => {
      b.wakeups = [wakeup({ status: WakeupStatus.PARKED })];
    },
    ["Retry now", "Cancel wait", "Start fresh"],
    "Retry now",
  ],
  ["running", underWay, ["Stop"], ""],
  [
    "failed, and resumable",
    (b: Backend) => {
      b.wakeups = [failed({ nativeSessionId: "native-1" })];
    },
    ["Resume session", "Start fresh"],
    "Resume session",
  ],
  [
    "failed, and perhaps delivered",
    (b: Backend) => {
      const stopReason = StopReason.AMBIGUOUS_DELIVERY;
      b.wakeups = [failed({ lastDecision: { action: Action.STOP, stopReason } })];
    },
    ["Start fresh"],
    "Start fresh",
  ],
  [
    "done",
    (b: Backend) => {
      b.wakeups = [wakeup({ status: WakeupStatus.COMPLETED })];
    },
    ["Start fresh"],
    "",
  ],
] as [string, (b: Backend) => void, string[], string][])(
  "%s: the buttons are those that the server names, and one stands out",
  async (_, prepare, names, primary) => {
    openPage("/wakeups/w-1", prepare);
    const found = await buttons();
    expect(found.map(textOf)).toEqual(names);
    const filled = found.filter((b) => b.getAttribute("data-variant") === "filled");
    expect(filled.map(textOf)).toEqual(primary ? [primary] : []);
  },
);

test("what cannot be resumed says why, and what a resume does is said before it is pressed", async () => {
  const { unmount } = openPage("/wakeups/w-1", (b) => {
    b.wakeups = [failed()];
  });
  await screen.findByText(/It cannot be resumed: no session of the agent is known/);
  unmount();
  openPage("/wakeups/w-1", (b) => {
    b.wakeups = [failed({ nativeSessionId: "native-1" })];
  });
  await screen.findByText(/never sends the prompt again/);
});

test("Retry now is one press: pending until the server's state is on the screen, announced once", async () => {
  const page = openPage("/wakeups/w-1", waiting);
  const [retry] = await buttons();
  await page.live();
  const said = listen(page);
  let open = () => {};
  page.backend.gate = new Promise((resolve) => {
    open = resolve;
  });
  fireEvent.click(retry as Element);
  await screen.findByRole("button", { name: "Retrying…" });
  fireEvent.click(screen.getByRole("button", { name: "Retrying…" }));
  fireEvent.click(screen.getByRole("button", { name: "Cancel wait" }));
  expect(screen.getByText("Retry scheduled", { selector: "span" })).toBeTruthy();
  await act(async () => open());
  await screen.findByText("Queued", { selector: "span" });
  expect(page.backend.acted).toHaveLength(1);
  expect(page.backend.acted[0]).toMatchObject({ wakeupId: "w-1", expectedVersion: 4n });
  expect(page.backend.acted[0]?.requestId).toMatch(/^web-[0-9a-f]{32}$/);
  await waitFor(() => expect(screen.queryByRole("button", { name: /Retry/ })).toBeNull());
  expect(said).toEqual(["Claude Code: Queued"]);
});

test("r retries now", async () => {
  const page = openPage("/wakeups/w-1", waiting);
  await buttons();
  fireEvent.keyDown(document.body, { key: "r" });
  await screen.findByText("Queued", { selector: "span" });
  expect(page.backend.calls).toContain("retryNow");
});

test("cancelling a wait asks once and sends the version that was seen", async () => {
  const page = openPage("/wakeups/w-1", waiting);
  await press("Cancel wait");
  expect(page.backend.acted).toHaveLength(0);
  await press("Yes, cancel the wait");
  await screen.findByText("Cancelled", { selector: "span" });
  expect(page.backend.acted[0]).toMatchObject({ wakeupId: "w-1", expectedVersion: 4n });
  await waitFor(() => expect(screen.queryByRole("button", { name: "Cancel wait" })).toBeNull());
});

test("a question can be answered by Escape, which keeps the page and gives the focus back", async () => {
  const page = openPage("/wakeups/w-1", waiting);
  await press("Cancel wait");
  const yes = screen.getByRole("button", { name: "Yes, cancel the wait" });
  expect(document.activeElement).toBe(yes);
  fireEvent.keyDown(yes, { key: "Escape" });
  const back = screen.getByRole("button", { name: "Cancel wait" });
  expect(document.activeElement).toBe(back);
  expect(page.address()).toBe("/wakeups/w-1");
  expect(page.backend.acted).toHaveLength(0);
});

test("stopping asks, sends the version of the run as it is now, and shows since when it stops", async () => {
  const page = openPage("/wakeups/w-1", underWay);
  await buttons();
  await page.live();
  const said = listen(page);
  // The run has moved on, and nothing told the page.
  page.backend.runs = [liveRun({ version: 5n })];
  await press("Stop");
  const question = await screen.findByRole("group", { name: "Stop this run?" });
  expect(textOf(question)).toContain("What it has done so far stays as it is");
  await press("Yes, stop the run");
  const note = (await screen.findByText("Stopping…")).closest("div");
  expect(textOf(note)).toContain("asked just now");
  expect(page.backend.acted[0]).toMatchObject({ runId: "r-live", expectedVersion: 5n });
  expect(screen.queryByRole("button", { name: "Stop" })).toBeNull();
  await waitFor(() => expect(said).toEqual(["Claude Code: stopping"]));
  page.advance(120);
  expect(textOf(note)).toContain("asked 2 min ago");
});

test("a stop that somebody else asked for is shown from the start", async () => {
  openPage("/wakeups/w-1", (b) => {
    b.wakeups = [running()];
    b.runs = [liveRun({ stopRequestedAt: at(-200) })];
  });
  const note = (await screen.findByText("Stopping…")).closest("div");
  expect(textOf(note)).toContain("asked 3 min ago");
  await waitFor(() => expect(screen.queryByRole("button", { name: "Stop" })).toBeNull());
});

test("a resume goes on in a new wakeup, whose page opens, and is announced once", async () => {
  const page = openPage("/wakeups/w-1", (b) => {
    b.wakeups = [failed({ nativeSessionId: "native-1", generation: 3n })];
  });
  await buttons();
  await page.live();
  const said = listen(page);
  await press("Resume session");
  await waitFor(() => expect(page.address()).toBe("/wakeups/w-1-next"));
  await screen.findByText("Queued", { selector: "span" });
  expect(page.backend.acted[0]).toMatchObject({ sessionId: "s-1", expectedGeneration: 3n });
  expect(said).toEqual(["The session goes on. This is its new wakeup."]);
});

test("Start fresh says what it does, also that it ends the wait, before it does it", async () => {
  const page = openPage("/wakeups/w-1", waiting);
  await press("Start fresh");
  const question = await screen.findByRole("group", { name: "Start fresh?" });
  expect(textOf(question)).toContain("without the old conversation");
  expect(textOf(question)).toContain("look at what is already done first");
  expect(textOf(question)).toContain("The wait that goes on now ends.");
  await press("Yes, start fresh");
  await waitFor(() => expect(page.address()).toBe("/wakeups/w-1-next"));
  expect(page.backend.wakeups.find((w) => w.wakeupId === "w-1-next")?.nextSend).toBe(
    SendKind.FRESH,
  );
});

test("of an older wakeup nothing can be pressed; it leads to the one that goes on", async () => {
  openPage("/wakeups/w-1", (b) => {
    b.wakeups = [wakeup({ wakeupId: "w-2", generation: 2n }), failed()];
  });
  const link = await screen.findByRole("link", { name: "Open its wakeup" });
  expect(link.getAttribute("href")).toBe("/wakeups/w-2");
  expect(screen.queryByRole("group", { name: "What you can do" })).toBeNull();
});

test("a wait that changed meanwhile is left alone, and the page says what changed", async () => {
  const page = openPage("/wakeups/w-1", waiting);
  await buttons();
  await page.live();
  await press("Cancel wait");
  act(() => page.backend.put(retrying({ dueAt: at(90), version: 5n })));
  await press("Yes, cancel the wait");
  const alert = (await screen.findByText(/It changed before you pressed/)).closest("[role=alert]");
  await waitFor(() =>
    expect(textOf(alert)).toContain("Next: 2026-11-30 14:00:32 UTC → 2026-11-30 14:01:30 UTC"),
  );
  expect(page.backend.wakeups[0]?.status).toBe(WakeupStatus.SCHEDULED_RETRY);
  fireEvent.click(within(alert as HTMLElement).getByRole("button", { name: "Close" }));
  expect((await buttons()).map(textOf)).toContain("Cancel wait");
});

test("a stale press shows the present state and what changed", async () => {
  const page = openPage("/wakeups/w-1", waiting);
  await buttons();
  page.backend.wakeups = [running({ runCount: 2, version: 5n })];
  await press("Retry now");
  const note = await screen.findByText(/It changed before you pressed/);
  await waitFor(() =>
    expect(textOf(note.closest("[role=alert]"))).toContain("Status: Retry scheduled → Running"),
  );
  expect(screen.getByText("Running", { selector: "span" })).toBeTruthy();
});

test("a stale resume leads to where the session goes on", async () => {
  const page = openPage("/wakeups/w-1", (b) => {
    b.wakeups = [failed({ nativeSessionId: "native-1" })];
  });
  await buttons();
  page.backend.wakeups = [
    wakeup({ wakeupId: "w-2", generation: 2n }),
    failed({ nativeSessionId: "native-1", attention: Attention.UNSPECIFIED }),
  ];
  await press("Resume session");
  await screen.findByText(/It changed before you pressed/);
  const link = await screen.findByRole("link", { name: "Open its wakeup" });
  expect(link.getAttribute("href")).toBe("/wakeups/w-2");
});

test("a question whose action is no longer valid is withdrawn", async () => {
  const page = openPage("/wakeups/w-1", waiting);
  await buttons();
  await page.live();
  await press("Cancel wait");
  act(() => page.backend.put(retrying({ status: WakeupStatus.COMPLETED, version: 6n })));
  await screen.findByText(/It changed before you pressed/);
  expect(page.backend.acted).toHaveLength(0);
});

test("after a network failure the same press can be tried again, and counts once", async () => {
  const page = openPage("/wakeups/w-1", waiting);
  await buttons();
  page.backend.refusal = new ConnectError("Failed to fetch", Code.Unavailable);
  await press("Retry now");
  const alert = await screen.findByRole("alert");
  expect(textOf(alert)).toContain("The server does not answer");
  expect(screen.getByText("Retry scheduled", { selector: "span" })).toBeTruthy();
  fireEvent.click(within(alert).getByRole("button", { name: "Try again" }));
  await screen.findByText("Queued", { selector: "span" });
  const ids = page.backend.acted.map((a) => a.requestId);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a fault of the server is shown in place, with the request that finds it", async () => {
  const page = openPage("/wakeups/w-1", waiting);
  await press("Cancel wait");
  page.backend.refusal = new ConnectError("database away", Code.Internal, { "x-request-id": "r9" });
  await press("Yes, cancel the wait");
  const alert = await screen.findByRole("alert");
  expect(textOf(alert)).toContain("The wait was not cancelled");
  expect(textOf(alert)).toContain("Request r9");
  expect(screen.getByRole("button", { name: "Keep waiting" })).toBeTruthy();
});

test("a viewer is told why there is no button", async () => {
  openPage("/wakeups/w-1", (b) => {
    waiting(b);
    b.role = Role.VIEWER;
  });
  await screen.findByText("Your role (viewer) may look, but not act.");
  expect(screen.queryByRole("group", { name: "What you can do" })).toBeNull();
});

test("a wait for another run is told in words, with a link to that run", async () => {
  openPage("/wakeups/w-1", (b) => {
    b.wakeups = [retrying({ waitsForRunId: "r-9" })];
    b.runs = [failedRun(), liveRun({ runId: "r-9", wakeupId: "w-9", ordinal: 2 })];
  });
  const link = await screen.findByRole("link", { name: "Claude Code, run 2" });
  expect(link.getAttribute("href")).toBe("/wakeups/w-9?tab=attempts&run=r-9");
  expect(textOf(link.closest("p"))).toContain("One run tries this provider and model for all");
});

test("what its caller delivers goes on at its host: the command, and no button", async () => {
  openPage("/wakeups/w-1", (b) => {
    b.wakeups = [failed({ delivery: DeliveryMode.CALLER })];
  });
  expect(await screen.findByText("agentctl run --continue w-1")).toBeTruthy();
  expect(screen.getByText(/host host-1/)).toBeTruthy();
  expect(screen.queryByRole("group", { name: "What you can do" })).toBeNull();
});

test("what has succeeded asks for nothing", async () => {
  openPage("/wakeups/w-1", (b) => {
    b.wakeups = [
      wakeup({ status: WakeupStatus.COMPLETED, delivery: DeliveryMode.CALLER, endedAt: at(-5) }),
    ];
  });
  await screen.findByRole("heading", { level: 1 });
  await waitFor(() => expect(screen.queryByText("agentctl run --continue w-1")).toBeNull());
});

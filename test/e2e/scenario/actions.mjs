import assert from "node:assert/strict";
import { SCREENS } from "../browser.mjs";
import { checkLooks } from "../look.mjs";
import { printed } from "../seed.mjs";
import { until } from "../until.mjs";

/** A person acts: goes on now, stops, resumes, starts fresh; and is refused what is stale. */
export async function run(world) {
  const page = await world.browser.page();
  await world.browser.show(page, SCREENS[0]);
  const at = { ...world, page, ...lookers(world, page) };
  await retriesNow(at);
  const stopped = await stops(at);
  const resumed = await resumes(at, stopped);
  await startsFresh(at, resumed);
  await isRefused(at);
  await waitsForAnother(at);
  await actsInTheList(at);
  await page.close();
}

function lookers({ api, browser, server }, page) {
  const get = async (wakeupId) =>
    (await api.call("RecoveryService", "GetWakeup", { wakeupId })).wakeup;
  return {
    get,
    button: (name) => page.getByRole("button", { name, exact: true }),
    open: async (path) => {
      await page.goto(`${server.url}/ui/${path}`);
      await page.getByRole("switch", { name: "Live updates, Live" }).waitFor();
    },
    /** The page as it stands, on every screen. */
    look: async (name) => {
      for (const screen of SCREENS) {
        await browser.show(page, screen);
        const rows = screen.width < 768 ? "table" : "li > [class*=cardTop]";
        await page.waitForFunction((wrong) => document.querySelector(wrong) === null, rows);
        await checkLooks(page, `${name} on ${screen.name}`);
        await browser.shot(page, `${name}-${screen.name}`);
      }
      await browser.show(page, SCREENS[0]);
    },
  };
}

async function retriesNow({ page, seed, get, button, open, look }) {
  const { wakeupId } = await seed.waiting("act-wait");
  await open(`wakeups/${wakeupId}`);
  await button("Retry now").waitFor();
  await look("act-waiting");
  await button("Retry now").click();
  await page.getByText("Waits for its supervisor to start it").first().waitFor();
  const now = await get(wakeupId);
  assert.equal(now.status, "WAKEUP_STATUS_QUEUED");
  assert.equal(now.lastDecision.receipt.kind, "RECEIPT_KIND_PERSON");
  const said = page.getByTestId("announcer").filter({ hasText: "Claude Code: Queued" });
  await said.waitFor({ state: "attached" });
  await seed.succeed(await seed.deliver(wakeupId));
  await page.getByText("Completed", { exact: true }).waitFor();
}

async function stops({ page, api, seed, get, button, open, look }) {
  // What workers deliver is what a person may resume and start fresh.
  const { wakeupId } = await seed.begin(
    "act-stop",
    {},
    { delivery: "DELIVERY_MODE_WORKER", prompt: "mend the test" },
  );
  await open(`wakeups/${wakeupId}`);
  await button("Cancel wait").waitFor();
  // The run is under way, and moves on without a word to the page.
  const held = await seed.deliver(wakeupId, { nativeSessionId: "native-of-act-stop" });
  await button("Stop").waitFor();
  await look("act-running");
  await button("Stop").click();
  await page.getByRole("group", { name: "Stop this run?" }).waitFor();
  await look("act-stop-ask");
  await button("Yes, stop the run").click();
  await page.getByText("Stopping…", { exact: true }).waitFor();
  await look("act-stopping");
  const { runId, leaseToken } = held;
  const beat = await api.call("RecoveryService", "HeartbeatRun", { runId, leaseToken });
  assert.equal(beat.stopRequested, true);
  await seed.fail(held, "interrupted");
  await page.getByText("Cancelled", { exact: true }).waitFor();
  assert.equal((await get(wakeupId)).status, "WAKEUP_STATUS_CANCELLED");
  return wakeupId;
}

async function resumes({ page, get, button, open, look }, wakeupId) {
  await open(`wakeups/${wakeupId}`);
  await button("Resume session").waitFor();
  await look("act-resumable");
  await button("Resume session").click();
  await page.waitForURL((url) => !url.pathname.endsWith(wakeupId));
  const next = page.url().split("/").pop();
  await page.getByText("Queued", { exact: true }).waitFor();
  const before = await get(wakeupId);
  const now = await get(next);
  assert.deepEqual(
    [now.sessionId, Number(now.generation), now.nextSend],
    [before.sessionId, Number(before.generation) + 1, "SEND_KIND_CONTINUE"],
  );
  await page.goBack();
  await page.getByRole("link", { name: "Open its wakeup" }).click();
  await page.waitForURL((url) => url.pathname.endsWith(next));
  return next;
}

async function startsFresh({ page, seed, get, button, look }, wakeupId) {
  await seed.fail(await seed.deliver(wakeupId), printed.auth);
  await page.getByText("Failed", { exact: true }).waitFor();
  await look("act-failed");
  await button("Start fresh").click();
  await page.getByRole("group", { name: "Start fresh?" }).waitFor();
  await look("act-fresh-ask");
  await button("Yes, start fresh").click();
  await page.waitForURL((url) => !url.pathname.endsWith(wakeupId));
  const now = await get(page.url().split("/").pop());
  assert.equal(now.nextSend, "SEND_KIND_FRESH");
  await page
    .getByText(/in a new session, which first looks/)
    .first()
    .waitFor();
  assert.equal((await seed.deliver(now.wakeupId)).send, "SEND_KIND_FRESH");
}

/** The stream is off, so that the page still shows the wait when it is over. */
async function isRefused({ page, browser, api, seed, get, button, open, look }) {
  const { wakeupId } = await seed.waiting("act-race");
  await open(`wakeups/${wakeupId}`);
  await button("Retry now").waitFor();
  const live = page.getByRole("switch", { name: /Live updates/ });
  await live.click();
  await page.getByRole("switch", { name: "Live updates, Paused" }).waitFor();
  await api.call("RecoveryService", "RetryNow", { wakeupId });
  await seed.deliver(wakeupId);
  browser.expect(/409|status of 4/);
  await button("Retry now").click();
  await page.getByText("It changed before you pressed. Nothing was done.").waitFor();
  await page.getByText("Status: Retry scheduled → Running").waitFor();
  await look("act-refused");
  await button("Close").click();
  await button("Stop").waitFor();
  assert.equal((await get(wakeupId)).status, "WAKEUP_STATUS_RUNNING");
  await live.click();
  await page.getByRole("switch", { name: "Live updates, Live" }).waitFor();
  browser.expected.length = 0;
}

/** Of two runs with one provider and model, one tries for both. */
async function waitsForAnother({ page, seed, open, look }) {
  const patient = { preset: "POLICY_PRESET_PATIENT" };
  const [owner, other] = [
    await seed.begin("act-own", patient),
    await seed.begin("act-share", patient),
  ];
  const held = [await seed.deliver(owner.wakeupId), await seed.deliver(other.wakeupId)];
  for (const run of held) await seed.fail(run, printed.overloaded);
  await open(`wakeups/${other.wakeupId}`);
  const link = page.getByRole("link", { name: "Claude Code, run 1" });
  await link.waitFor();
  await look("act-waits-for");
  await link.click();
  await page.waitForURL((url) => url.pathname.endsWith(owner.wakeupId));
}

async function actsInTheList({ page, seed, get, open, look }) {
  const { wakeupId } = await seed.waiting("act-row");
  await open("wakeups?needs=person");
  await page.getByText("All is well: nothing needs you").waitFor();
  await page.getByText(/agents wait and go on by themselves/).waitFor();
  await look("act-list-calm");
  await page.getByRole("link", { name: "See what waits" }).click();
  const row = page.getByRole("row").filter({ hasText: "act-row" });
  await row.getByRole("button", { name: /^Cancel wait/ }).waitFor();
  await look("act-list-waiting");
  await row.getByRole("button", { name: /^Cancel wait/ }).click();
  await page.getByRole("group", { name: /^Cancel the wait\?/ }).waitFor();
  await look("act-list-ask");
  await page.keyboard.press("Escape");
  await row.getByRole("button", { name: /^Retry now/ }).click();
  await until("the row's wait is over", 10_000, async () => {
    return (await get(wakeupId)).status === "WAKEUP_STATUS_QUEUED";
  });
  await page.mouse.move(0, 0);
  await page.keyboard.press("Tab");
  await seed.fail(await seed.deliver(wakeupId), printed.auth);
  await page.getByRole("link", { name: /^Needs you/ }).click();
  await page.getByRole("row").filter({ hasText: "act-row" }).waitFor();
  await look("act-list-person");
}

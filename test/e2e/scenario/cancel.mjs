import assert from "node:assert/strict";

/** A wait is cancelled by who saw it; one that changed is left alone. */
export async function run({ server, browser, api, seed }) {
  const page = await browser.page();
  const status = async (wakeupId) =>
    (await api.call("RecoveryService", "GetWakeup", { wakeupId })).wakeup.status;

  const patient = await seed.begin("cancel-shop", { preset: "POLICY_PRESET_PATIENT" });
  const reset = Math.floor(Date.now() / 1000) + 3600;
  await seed.fail(await seed.deliver(patient.wakeupId), `Claude AI usage limit reached|${reset}`);
  await page.goto(`${server.url}/ui/wakeups/${patient.wakeupId}`);
  await page.getByText("Runs again after the reset").first().waitFor();
  await page.getByText("stated by the provider").first().waitFor();
  await page.getByRole("button", { name: "Cancel wait" }).click();
  await browser.shot(page, "cancel-ask");
  await page.getByRole("button", { name: "Yes, cancel the wait" }).click();
  await page.getByText("Cancelled", { exact: true }).waitFor();
  assert.equal(await status(patient.wakeupId), "WAKEUP_STATUS_CANCELLED");
  assert.equal(await page.getByRole("button", { name: "Cancel wait" }).count(), 0);

  // The stream is off, so that the page still shows the wait when it has ended.
  const other = await seed.begin("race-shop", { preset: "POLICY_PRESET_PATIENT" });
  await seed.fail(await seed.deliver(other.wakeupId), `Claude AI usage limit reached|${reset}`);
  await page.goto(`${server.url}/ui/wakeups/${other.wakeupId}`);
  await page.getByRole("switch", { name: /Live updates/ }).click();
  await page.getByRole("switch", { name: "Live updates, Paused" }).waitFor();
  await page.getByRole("button", { name: "Cancel wait" }).click();
  await api.call("RecoveryService", "BeginPrompt", {
    sessionId: other.sessionId,
    delivery: "DELIVERY_MODE_CALLER",
    profile: { agentKind: "claude" },
  });
  browser.expect(/409|status of 4/);
  await page.getByRole("button", { name: "Yes, cancel the wait" }).click();
  await page.getByText("It changed before you pressed. Nothing was done.").waitFor();
  await page.getByText("Retry scheduled → Cancelled").waitFor();
  await browser.shot(page, "cancel-conflict");
  await page.getByRole("switch", { name: /Live updates/ }).click();
  await page.getByRole("switch", { name: "Live updates, Live" }).waitFor();
  browser.expected.length = 0;
  await page.close();
}

import assert from "node:assert/strict";

/** One wakeup explains itself, and can be taken elsewhere. */
export async function run({ server, browser, seed }) {
  const { wakeupId, decision } = await seed.retrying("detail-shop");
  const page = await browser.page();
  await page.goto(`${server.url}/ui/wakeups`);
  await page.getByRole("link", { name: /detail-shop/ }).click();
  await page.getByRole("heading", { level: 1, name: /Claude Code/ }).waitFor();
  assert.equal(page.url(), `${server.url}/ui/wakeups/${wakeupId}`);

  const first = page.getByRole("listitem").filter({ hasText: "Run 1" }).last();
  await page.getByText("provider_overloaded").first().waitFor();
  assert.match(await first.textContent(), /Dispatch[\s\S]*Evidence[\s\S]*Rule[\s\S]*Decision/);

  await page.getByRole("tab", { name: "Evidence" }).click();
  await page.getByText("overloaded_error").first().waitFor();
  await page.getByText("exit code 1").waitFor();
  await page.getByRole("tab", { name: "Decision" }).click();
  const why = page.locator("section").filter({ hasText: "Why this, and not otherwise" }).last();
  assert.ok((await why.getByRole("listitem").count()) >= (decision.because?.length ?? 1));
  await page.getByRole("tab", { name: "Attempts" }).click();
  await page.getByText("none, proved").first().waitFor();
  await page.getByRole("tab", { name: "Raw" }).click();
  const raw = JSON.parse(await page.locator("pre").textContent());
  assert.equal(raw.wakeup.wakeupId, wakeupId);
  assert.equal(raw.runs.length, 1);
  assert.match(page.url(), /\?tab=raw$/);

  await page.getByRole("button", { name: "Copy as" }).click();
  await page.getByRole("menuitem", { name: "curl command" }).click();
  const curl = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(curl, new RegExp(`/v1/workspaces/default/wakeups/${wakeupId}`));
  assert.ok(!curl.includes(server.token));

  browser.expect(/404/);
  await page.goto(`${server.url}/ui/wakeups/no-such-wakeup`);
  await page.getByRole("heading", { name: "No such wakeup" }).waitFor();
  await browser.shot(page, "no-such-wakeup");
  browser.expected.length = 0;
  await page.close();
}

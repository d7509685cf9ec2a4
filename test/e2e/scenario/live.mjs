import assert from "node:assert/strict";

/** What happens on the server arrives in the list by itself. */
export async function run({ server, browser, seed }) {
  const page = await browser.page();
  let lists = 0;
  page.on("request", (r) => {
    if (r.url().endsWith("/ListWakeups")) lists++;
  });
  await page.goto(`${server.url}/ui/`);
  await page.getByRole("switch", { name: "Live updates, Live" }).waitFor();

  const wakeup = await seed.begin("live-shop");
  const row = page.getByRole("row").filter({ hasText: "live-shop" });
  await row.getByText("Queued").waitFor();
  const held = await seed.deliver(wakeup.wakeupId);
  await row.getByText("Run 1 is under way").waitFor();
  await seed.fail(held, "API Error: 529 Overloaded");
  await row.getByText("Retry scheduled").waitFor();
  await row.getByText("Retry 1 of 5").waitFor();
  await row.getByText("estimated by the policy").waitFor();
  await page.getByTestId("announcer").filter({ hasText: "Retry scheduled" }).waitFor({ state: "attached" });

  const due = row.getByTestId("tick").filter({ hasText: "due, waiting for server" });
  await due.waitFor();
  await row.getByText("Retry scheduled").waitFor();
  const again = await seed.deliver(wakeup.wakeupId);
  await row.getByText("Run 2 is under way").waitFor();
  await seed.succeed(again);
  await row.getByText("Completed").waitFor();
  assert.match(await row.innerText(), /run 1[\s\S]*run 2/);

  const before = lists;
  await page.waitForFunction(() => performance.now() > 0);
  await page.getByRole("checkbox", { name: "Failed" }).check();
  await page.getByText("No wakeup matches these filters").waitFor();
  assert.match(page.url(), /\?status=failed$/);
  await page.goBack();
  await row.waitFor();
  assert.ok(lists - before <= 2, `the list was read ${lists - before} times for one filter`);
  await page.close();
}

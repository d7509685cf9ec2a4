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
  await page
    .getByTestId("announcer")
    .filter({ hasText: "Retry scheduled" })
    .waitFor({ state: "attached" });

  const due = row.getByTestId("tick").filter({ hasText: "due, waiting for server" });
  await due.waitFor();
  await row.getByText("Retry scheduled").waitFor();
  const again = await seed.deliver(wakeup.wakeupId);
  await row.getByText("Run 2 is under way").waitFor();
  await seed.succeed(again);
  await row.getByText("Completed").waitFor();
  assert.match(await row.textContent(), /run 1[\s\S]*run 2/);

  const before = lists;
  await page.getByRole("checkbox", { name: "Failed" }).check();
  await page.getByText("No wakeup matches these filters").waitFor();
  assert.match(page.url(), /\?status=failed$/);
  await page.goBack();
  await row.waitFor();
  assert.ok(lists - before <= 2, `the list was read ${lists - before} times for one filter`);
  await page.close();
  await sharesOneStream({ server, browser, seed });
}

/** Tabs share one stream; when the one that reads it closes, another goes on. */
async function sharesOneStream({ server, browser, seed }) {
  let streams = 0;
  const pages = [];
  for (let n = 0; n < 3; n++) {
    const page = await browser.page();
    page.on("request", (r) => {
      if (r.url().endsWith("/WatchEvents")) streams++;
    });
    await page.goto(`${server.url}/ui/`);
    await page.getByRole("switch", { name: "Live updates, Live" }).waitFor();
    pages.push(page);
  }
  assert.equal(streams, 1, "three tabs opened more than one stream");
  await seed.begin("shared-one");
  for (const page of pages) await page.getByRole("row").filter({ hasText: "shared-one" }).waitFor();
  await pages.shift().close();
  await seed.begin("shared-two");
  for (const page of pages) await page.getByRole("row").filter({ hasText: "shared-two" }).waitFor();
  assert.equal(streams, 2);
  for (const page of pages) await page.close();
}

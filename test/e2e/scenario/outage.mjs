/** A server that dies is noticed; one that returns is followed again without a reload. */
export async function run({ server, browser, seed }) {
  const page = await browser.page();
  await page.goto(`${server.url}/ui/wakeups`);
  await page.getByRole("switch", { name: "Live updates, Live" }).waitFor();
  browser.expect(/ERR_|Failed to (fetch|load)|status of 5/);
  await server.stop("SIGKILL");
  await page.getByRole("switch", { name: "Live updates, Reconnecting" }).waitFor();
  await page.getByRole("switch", { name: "Live updates, Stale" }).waitFor();
  await page.getByText(/What you see is as of/).waitFor();
  await browser.shot(page, "stale");
  await server.start();
  await page.getByRole("switch", { name: "Live updates, Live" }).waitFor({ timeout: 60_000 });
  await seed.begin("after-outage");
  await page.getByRole("row").filter({ hasText: "after-outage" }).waitFor();
  browser.expected.length = 0;
  await page.close();
}

import assert from "node:assert/strict";

/** The pages work under a content policy that allows nothing inline at all. */
export async function run({ server, browser, seed }) {
  const { wakeupId } = await seed.retrying("policy-shop");
  const page = await browser.page();
  const strict = "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'";
  let served = "";
  await page.route("**/ui/**", async (route) => {
    if (route.request().resourceType() !== "document") return route.continue();
    const response = await route.fetch();
    served = response.headers()["content-security-policy"] ?? "";
    const headers = { ...response.headers(), "content-security-policy": strict };
    await route.fulfill({ response, headers });
  });
  await page.goto(`${server.url}/ui/wakeups/${wakeupId}`);
  await page.getByRole("heading", { level: 1, name: /Claude Code/ }).waitFor();
  assert.match(served, /default-src 'self'/);
  assert.doesNotMatch(served, /script-src[^;]*unsafe/);

  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("menuitem", { name: "Dark" }).click();
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(await background(), "rgb(15, 18, 22)");
  await page.reload();
  await page.getByRole("heading", { level: 1, name: /Claude Code/ }).waitFor();
  assert.equal(await background(), "rgb(15, 18, 22)", "the chosen colours are not kept");

  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("menuitem", { name: "Keyboard shortcuts" }).click();
  await page.getByRole("dialog").waitFor();
  await page.getByRole("switch", { name: "Use single-key shortcuts" }).click();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("?");
  await page.getByRole("tab", { name: "Decision" }).click();
  assert.equal(await page.getByRole("dialog").count(), 0, "a shortcut that was turned off works");

  await page.evaluate(() => localStorage.clear());
  await page.close();
}

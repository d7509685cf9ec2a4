import assert from "node:assert/strict";

/** Without a session the page asks for one; a link gives it once. */
export async function run({ server, browser, api }) {
  const page = await browser.page();
  browser.expect(/401/);
  await page.goto(`${server.url}/`);
  await page.getByRole("heading", { name: "You are not logged in" }).waitFor();
  await page.getByText("agentctl open").waitFor();
  await browser.shot(page, "signed-out");

  const path = await api.loginPath();
  assert.match(path, /^\/ui\/login#.{20,}/);
  await page.goto("about:blank");
  await page.goto(server.url + path);
  await page.getByText("Nothing has run yet").waitFor();
  assert.equal(page.url(), `${server.url}/ui/wakeups`);
  await page.getByText("agentctl demo").waitFor();
  const cookies = await browser.context.cookies(server.url);
  assert.equal(cookies.length, 1);
  assert.deepEqual([cookies[0].httpOnly, cookies[0].sameSite], [true, "Strict"]);
  await browser.shot(page, "empty");

  const second = await browser.page();
  await second.goto(server.url + path);
  await second.getByRole("heading", { name: "This link was used or has expired" }).waitFor();
  assert.equal(new URL(second.url()).hash, "", "the code stays in the address");
  await browser.shot(second, "login-used");
  await second.close();
  browser.expected.length = 0;
  await page.close();
}

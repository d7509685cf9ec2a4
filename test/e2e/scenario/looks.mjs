import assert from "node:assert/strict";
import { SCREENS } from "../browser.mjs";
import { checkLooks } from "../look.mjs";

/** Every page on every screen: nothing overflows, nothing is too small to press. */
export async function run({ server, browser, seed }) {
  const ids = await seed.gallery();
  await seed.retrying("shown");
  const page = await browser.page();
  const views = [
    ["list", "/ui/wakeups"],
    ["filtered", "/ui/wakeups?status=failed,parked"],
    ["wait", `/ui/wakeups/${ids.patient}`],
    ["stop", `/ui/wakeups/${ids.quota}`],
    ["attempts", `/ui/wakeups/${ids.odd}?tab=attempts`],
    ["evidence", `/ui/wakeups/${ids.odd}?tab=evidence`],
    ["decision", `/ui/wakeups/${ids.patient}?tab=decision`],
    ["raw", `/ui/wakeups/${ids.login}?tab=raw`],
  ];
  for (const [name, path] of views) {
    await page.goto(server.url + path);
    await page.getByRole("switch", { name: "Live updates, Live" }).waitFor();
    await page.locator("[data-row], [role=tabpanel]").first().waitFor();
    for (const screen of SCREENS) {
      await browser.show(page, screen);
      await page.waitForFunction(
        (phone) =>
          (document.querySelector("table") === null) === phone ||
          !location.href.endsWith("wakeups"),
        screen.width < 768,
      );
      await checkLooks(page, `${name} on ${screen.name}`);
      await browser.shot(page, `${name}-${screen.name}`);
    }
  }
  await checkNarrowStart(page, browser, server, ids);
  await checkMotion(page);
  await checkHelp(page, browser, server);
  await page.close();
}

/** What the address chose is in sight on the narrowest screen, and the page starts at its top. */
async function checkNarrowStart(page, browser, server, ids) {
  const narrow = SCREENS.at(-1);
  await browser.show(page, narrow);
  const inSight = async (item) => {
    const box = await item.boundingBox();
    assert.ok(
      box.x >= 0 && box.x + box.width <= narrow.width + 1,
      "the chosen one is out of sight",
    );
    assert.equal(await page.evaluate(() => window.scrollY), 0);
  };
  await page.goto("about:blank");
  await page.goto(`${server.url}/ui/wakeups/${ids.login}?tab=raw`);
  await page.getByRole("tab", { name: "Raw" }).waitFor();
  await inSight(page.getByRole("tab", { name: "Raw" }));
  await page.goto("about:blank");
  await page.goto(`${server.url}/ui/wakeups?status=failed`);
  await page.locator("[data-row]").first().waitFor();
  await inSight(page.locator("label", { hasText: "Failed" }));
}

async function checkMotion(page) {
  await page.emulateMedia({ reducedMotion: "reduce", forcedColors: "active" });
  const longest = await page.evaluate(() => {
    const all = [...document.querySelectorAll("*")].map((el) => getComputedStyle(el));
    const ms = (text) => Math.max(...text.split(",").map((t) => Number.parseFloat(t) * 1000));
    return Math.max(...all.map((s) => Math.max(ms(s.animationDuration), ms(s.transitionDuration))));
  });
  assert.ok(longest <= 1, `with reduced motion something still moves for ${longest} ms`);
  await page.emulateMedia({ reducedMotion: "no-preference", forcedColors: "none" });
}

async function checkHelp(page, browser, server) {
  await browser.show(page, SCREENS[1]);
  await page.goto(`${server.url}/ui/wakeups`);
  await page.locator("[data-row]").first().waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await browser.shot(page, "help");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.getByRole("tab", { name: "Timeline" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { name: "Wakeups" }).waitFor();
}

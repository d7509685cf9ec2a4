// Drives the web UI in a real Chromium against the real server and database.
// node test/e2e/run.mjs [scenario…]; RECOURSE_BIN names another server binary,
// RECOURSE_UI a folder with built pages that stand in for those in the binary.
import { fileURLToPath } from "node:url";
import { Api } from "./api.mjs";
import { Browser } from "./browser.mjs";
import { Seed } from "./seed.mjs";
import { startServer } from "./server.mjs";

const say = (text) => process.stdout.write(`${text}\n`);
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

// In this order: later ones go on in the session of the first.
const names = ["login", "live", "detail", "cancel", "actions", "policy", "looks", "outage"];

const wanted = process.argv.slice(2);
const chosen = names.filter((n) => n === "login" || wanted.length === 0 || wanted.includes(n));

const server = await startServer(process.env.RECOURSE_BIN ?? here("../../bin/recourse"));
const browser = await Browser.open(here("../../test-results/e2e")).catch(async (err) => {
  await server.remove();
  throw err;
});
if (process.env.RECOURSE_UI) await browser.serve(process.env.RECOURSE_UI);
const api = new Api(server);
const world = { server, browser, api, seed: new Seed(api) };
let failed = 0;
try {
  for (const name of chosen) {
    const began = Date.now();
    const { run } = await import(`./scenario/${name}.mjs`);
    try {
      await run(world);
      if (browser.problems.length > 0) throw new Error(browser.problems.join("\n"));
      say(`ok   ${name} (${Date.now() - began} ms)`);
    } catch (err) {
      failed++;
      say(`FAIL ${name}\n${err.stack}${err.cause ? `\ncause: ${err.cause}` : ""}`);
      for (const page of browser.context.pages()) await browser.shot(page, `failed-${name}`);
    }
    browser.problems.length = 0;
  }
} finally {
  await browser.close();
  await server.remove();
}
if (failed > 0) say(`\nserver log:\n${server.log.slice(-4000)}`);
process.exitCode = failed > 0 ? 1 : 0;

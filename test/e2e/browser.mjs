import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

const require = createRequire(new URL("../../clients/web/package.json", import.meta.url));
const { chromium } = require("playwright-core");

const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** The screens that every page is looked at on. */
export const SCREENS = [
  { name: "desk-light", width: 1280, height: 900, colorScheme: "light" },
  { name: "desk-dark", width: 1280, height: 900, colorScheme: "dark" },
  { name: "phone-light", width: 390, height: 844, colorScheme: "light" },
  { name: "phone-dark", width: 390, height: 844, colorScheme: "dark" },
  { name: "narrow", width: 320, height: 640, colorScheme: "light" },
];

/** A browser profile of its own, whose pages keep what went wrong in them. */
export class Browser {
  static async open(shots) {
    const folder = await mkdtemp(join(tmpdir(), "recourse-chromium-"));
    await mkdir(shots, { recursive: true });
    const context = await chromium.launchPersistentContext(folder, {
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args,
      headless: true,
      viewport: { width: 1280, height: 900 },
      permissions: ["clipboard-read", "clipboard-write"],
    });
    context.setDefaultTimeout(30_000);
    return new Browser(context, folder, shots);
  }

  constructor(context, folder, shots) {
    Object.assign(this, { context, folder, shots, problems: [], expected: [] });
  }

  /** A new page; its console errors count as failures unless they were announced. */
  async page() {
    const page = await this.context.newPage();
    page.on("pageerror", (err) => this.problems.push(`page error: ${err.stack ?? err}`));
    page.on("console", (message) => {
      if (message.type() === "error") this.note(`console: ${message.text()}`);
    });
    page.on("request", (request) => {
      const { hostname, protocol } = new URL(request.url());
      if (protocol.startsWith("http") && hostname !== "127.0.0.1") {
        this.problems.push(`a request left the machine: ${hostname}`);
      }
    });
    return page;
  }

  /** Takes the pages from a folder, and everything else from the server. */
  async serve(folder) {
    await this.context.route("**/ui/**", async (route) => {
      const request = route.request();
      const path = new URL(request.url()).pathname.replace(/^.*?\/ui\//, "");
      const name = request.resourceType() === "document" ? "index.html" : path;
      const file = join(folder, name);
      // What the server was redirected to is its own page, with files of its own.
      if (request.method() === "GET" && existsSync(file)) await route.fulfill({ path: file });
      else await route.continue();
    });
  }

  /** Allows console errors that match pattern, from now on. */
  expect(pattern) {
    this.expected.push(pattern);
  }

  note(text) {
    if (!this.expected.some((pattern) => pattern.test(text))) this.problems.push(text);
  }

  /** Shows the page on a screen. */
  async show(page, screen) {
    await page.setViewportSize({ width: screen.width, height: screen.height });
    await page.emulateMedia({ colorScheme: screen.colorScheme });
  }

  async shot(page, name) {
    await page.screenshot({ path: join(this.shots, `${name}.png`), fullPage: true });
  }

  async close() {
    await this.context.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}

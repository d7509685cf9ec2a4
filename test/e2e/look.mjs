import assert from "node:assert/strict";

/** What holds for every page on every screen. */
export async function checkLooks(page, where) {
  const found = await page.evaluate(inspect);
  assert.equal(found.overflow, 0, `${where}: the page scrolls sideways by ${found.overflow} px`);
  assert.deepEqual(found.small, [], `${where}: targets under 44 px`);
  assert.deepEqual(found.nameless, [], `${where}: controls without a name`);
  assert.equal(found.headings, 1, `${where}: a page has one first heading`);
}

// Runs in the page.
function inspect() {
  const root = document.documentElement;
  const controls = [...document.querySelectorAll("button, a[href], select, input, summary")].filter(
    (el) => el.getClientRects().length > 0 && el.closest("[aria-hidden=true]") === null,
  );
  const describe = (el) => `${el.tagName.toLowerCase()} ${el.textContent.trim().slice(0, 40)}`;
  // A control may be small where its label or its row is the target.
  const target = (el) => el.closest("label, li, tr") ?? el;
  const isSmall = (el) => {
    const inText = el.tagName === "A" && el.closest("p") !== null;
    if (inText || el.matches("#main-skip, [href='#main']")) return false;
    const own = el.getBoundingClientRect();
    const around = target(el).getBoundingClientRect();
    const [w, h] = [Math.max(own.width, around.width), Math.max(own.height, around.height)];
    return Math.round(w) < 44 || Math.round(h) < 44;
  };
  const name = (el) =>
    el.getAttribute("aria-label") ||
    el.textContent.trim() ||
    el.labels?.[0]?.textContent.trim() ||
    el.getAttribute("aria-labelledby");
  return {
    overflow: Math.max(0, root.scrollWidth - root.clientWidth),
    small: controls.filter(isSmall).map(describe),
    nameless: controls.filter((el) => !name(el)).map((el) => el.outerHTML.slice(0, 120)),
    headings: document.querySelectorAll("h1").length,
  };
}

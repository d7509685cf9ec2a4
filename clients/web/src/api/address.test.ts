import { expect, test } from "vitest";
import { pagesBase, serverBase } from "./address";

const origin = "http://127.0.0.1:8080";

test.each([
  ["/ui/", "", "/ui"],
  ["/ui/wakeups/w1", "", "/ui"],
  ["/ui", "", "/ui"],
  ["/", "", "/ui"],
  ["/team/recourse/ui/login", "/team/recourse", "/team/recourse/ui"],
])("%s", (path, prefix, pages) => {
  const base = serverBase(origin, path);
  expect(base).toBe(origin + prefix);
  expect(pagesBase(origin, base)).toBe(pages);
});

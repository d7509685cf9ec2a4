import { screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { openPage, textOf } from "../testing/render";

const code = ["one", "time", "code"].join("-");

afterEach(() => {
  vi.unstubAllGlobals();
  window.history.replaceState(null, "", "/ui/");
});

function openLogin(answer: () => Promise<Response>, hash = `#${code}`) {
  const post = vi.fn((_url: string, _init: RequestInit) => answer());
  vi.stubGlobal("fetch", post);
  window.history.replaceState(null, "", `/ui/login${hash}`);
  return { page: openPage("/login"), post };
}

test("the code is exchanged once, leaves the address, and the list opens", async () => {
  const { page, post } = openLogin(async () => new Response(null, { status: 204 }));
  await screen.findByText("Nothing has run yet");
  expect(post).toHaveBeenCalledTimes(1);
  const [url, init] = post.mock.calls[0] ?? [];
  expect(url).toBe("http://localhost/ui/login");
  expect(JSON.parse(String(init?.body))).toEqual({ code });
  expect(window.location.href).not.toContain(code);
  expect(page.address()).toBe("/wakeups");
});

test("a used code says so, and how to get a new one", async () => {
  const { page } = openLogin(async () => new Response("{}", { status: 401 }));
  await screen.findByText("This link was used or has expired");
  expect(screen.getByText("agentctl open")).toBeTruthy();
  expect(window.location.hash).toBe("");
  expect(page.backend.calls).toEqual([]);
});

test("another refusal shows the server's own words and request id", async () => {
  openLogin(
    async () =>
      new Response(JSON.stringify({ error: "the origin is not ours", reason: "X" }), {
        status: 403,
        headers: { "x-request-id": "req-3" },
      }),
  );
  await waitFor(() => expect(textOf(screen.getByRole("alert"))).toBe("the origin is not ours"));
  expect(screen.getByText("Request req-3")).toBeTruthy();
});

test("an answer that is not ours is told by its status", async () => {
  openLogin(async () => new Response("<html>", { status: 502, statusText: "Bad Gateway" }));
  await waitFor(() => expect(textOf(screen.getByRole("alert"))).toBe("502 Bad Gateway"));
});

test("no network is no refusal", async () => {
  openLogin(() => Promise.reject(new TypeError("Failed to fetch")));
  await screen.findByText("Could not log in");
});

test("without a code the page asks for a link and sends nothing", async () => {
  const { post } = openLogin(async () => new Response(null, { status: 204 }), "");
  await screen.findByText("This page needs a login link");
  expect(post).not.toHaveBeenCalled();
});

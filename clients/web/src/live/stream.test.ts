import { create } from "@bufbuild/protobuf";
import { type WatchEventsResponse, WatchEventsResponseSchema } from "@gen/recovery_service_pb";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { backoffMs } from "./backoff";
import { LiveStream, SILENCE_MS, STALE_AFTER_MS } from "./stream";

const event = (cursor: string) =>
  create(WatchEventsResponseSchema, { message: { case: "event", value: { cursor, type: "t" } } });
const beat = (cursor: string) =>
  create(WatchEventsResponseSchema, { message: { case: "heartbeat", value: { cursor } } });

/** A server whose streams the test writes to, one at a time. */
function setup() {
  const opened: { cursor: string; signal: AbortSignal }[] = [];
  let push: (m: WatchEventsResponse) => void = () => {};
  let fail: (err: unknown) => void = () => {};
  const seen: string[] = [];
  let gaps = 0;
  const live = new LiveStream({
    async *watch(cursor, signal) {
      opened.push({ cursor, signal });
      const queue: WatchEventsResponse[] = [];
      let wake = () => {};
      let broken: unknown;
      push = (m) => {
        queue.push(m);
        wake();
      };
      fail = (err) => {
        broken = err;
        wake();
      };
      signal.addEventListener("abort", () => fail("aborted"));
      for (;;) {
        const next = queue.shift();
        if (next) yield next;
        else if (broken) throw broken;
        else await new Promise<void>((r) => (wake = r));
      }
    },
    now: () => Date.now(),
    random: () => 0,
    setTimeout: (run, ms) => setTimeout(run, ms),
    clearTimeout: (id) => clearTimeout(id as number),
    onEvent: (e) => seen.push(e.cursor),
    onGap: () => gaps++,
    isFinal: (err) => err === "login",
    isExpired: (err) => err === "expired",
  });
  const flush = () => vi.advanceTimersByTimeAsync(0);
  return {
    live,
    opened,
    seen,
    gaps: () => gaps,
    phase: () => live.read().phase,
    send: (m: WatchEventsResponse) => {
      push(m);
      return flush();
    },
    fail: (err: unknown) => {
      fail(err);
      return flush();
    },
    flush,
  };
}

beforeEach(() => vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => vi.useRealTimers());

test("it is live from the first sign of life on, and reads everything once", async () => {
  const s = setup();
  s.live.start();
  await s.flush();
  expect([s.phase(), s.opened[0]?.cursor]).toEqual(["connecting", ""]);
  await s.send(beat("c1"));
  await s.send(event("c2"));
  expect([s.phase(), s.gaps(), s.seen]).toEqual(["live", 1, ["c2"]]);
});

test("after a break it goes on behind the last event, without a gap", async () => {
  const s = setup();
  s.live.start();
  await s.flush();
  await s.send(event("c7"));
  await s.fail("reset");
  expect(s.phase()).toBe("reconnecting");
  await vi.advanceTimersByTimeAsync(backoffMs(0, 0));
  expect(s.opened.map((o) => o.cursor)).toEqual(["", "c7"]);
  await s.send(event("c8"));
  expect([s.phase(), s.gaps(), s.seen]).toEqual(["live", 1, ["c7", "c8"]]);
});

test("a break that lasts makes the page stale, and the first sign of life ends it", async () => {
  const s = setup();
  s.live.start();
  await s.flush();
  await s.send(beat("c1"));
  const heardAt = s.live.read().lastHeard;
  for (let i = 0; s.phase() !== "stale"; i++) {
    if (i > 40) throw new Error("never became stale");
    await s.fail("down");
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(Date.now() - (heardAt ?? 0)).toBeGreaterThanOrEqual(STALE_AFTER_MS);
  expect(s.live.read().lastHeard).toBe(heardAt);
  await vi.advanceTimersByTimeAsync(20_000);
  await s.send(beat("c1"));
  expect(s.phase()).toBe("live");
});

test("a server that never answers makes the page stale too", async () => {
  const s = setup();
  s.live.start();
  await vi.advanceTimersByTimeAsync(STALE_AFTER_MS);
  expect(s.phase()).toBe("stale");
});

test("a silent connection is given up and opened again", async () => {
  const s = setup();
  s.live.start();
  await s.flush();
  await s.send(beat("c1"));
  await vi.advanceTimersByTimeAsync(SILENCE_MS + backoffMs(0, 0));
  expect(s.opened[0]?.signal.aborted).toBe(true);
  expect(s.opened[1]?.cursor).toBe("c1");
});

test("an expired cursor means reading everything again", async () => {
  const s = setup();
  s.live.start();
  await s.flush();
  await s.send(event("c1"));
  await s.fail("expired");
  await vi.advanceTimersByTimeAsync(backoffMs(0, 0));
  expect(s.opened[1]?.cursor).toBe("");
  await s.send(beat("c9"));
  expect(s.gaps()).toBe(2);
});

test("a missing login ends it for good", async () => {
  const s = setup();
  s.live.start();
  await s.flush();
  await s.fail("login");
  await vi.advanceTimersByTimeAsync(60_000);
  expect([s.phase(), s.opened.length]).toEqual(["off", 1]);
});

test("off stops the stream and its attempts; on again reads everything", async () => {
  const s = setup();
  s.live.start();
  s.live.start();
  await s.flush();
  await s.send(event("c1"));
  s.live.stop();
  await vi.advanceTimersByTimeAsync(120_000);
  expect([s.phase(), s.opened.length, s.opened[0]?.signal.aborted]).toEqual(["off", 1, true]);
  s.live.start();
  await s.flush();
  await s.send(beat("c5"));
  expect([s.opened[1]?.cursor, s.gaps()]).toEqual(["", 2]);
});

test("attempts to reconnect spread out and stay bounded", () => {
  expect([0, 1, 2, 3].map((n) => backoffMs(n, 0))).toEqual([250, 500, 1_000, 2_000]);
  expect(backoffMs(1_000, 0.999)).toBeLessThanOrEqual(15_000);
  expect(backoffMs(3, 0.9)).toBeGreaterThan(backoffMs(3, 0.1));
});

import { expect, test } from "vitest";
import { Ticker, type TickerHost } from "./ticker";

function setup() {
  let now = 0;
  let hidden = false;
  let visibility = () => {};
  const timers = new Map<number, { at: number; run: () => void }>();
  let id = 0;
  const host: TickerHost = {
    setTimeout: (run, after) => {
      timers.set(++id, { at: now + after, run });
      return id;
    },
    clearTimeout: (t) => void timers.delete(t),
    hidden: () => hidden,
    onVisibility: (run) => {
      visibility = run;
    },
  };
  const ticker = new Ticker(() => now, host);
  return {
    ticker,
    timers,
    advance(ms: number) {
      const end = now + ms;
      for (;;) {
        const next = [...timers]
          .filter(([, t]) => t.at <= end)
          .sort((a, b) => a[1].at - b[1].at)[0];
        if (!next) break;
        timers.delete(next[0]);
        now = next[1].at;
        next[1].run();
      }
      now = end;
    },
    hide(value: boolean) {
      hidden = value;
      visibility();
    },
  };
}

test("many listeners share one timer", () => {
  const s = setup();
  let ticks = 0;
  for (let i = 0; i < 50; i++) s.ticker.subscribe(() => ticks++, 10_000);
  expect(s.timers.size).toBe(1);
  s.advance(3_000);
  expect(ticks).toBe(150);
});

test("without listeners there is no timer", () => {
  const s = setup();
  const stop = s.ticker.subscribe(() => {}, 10_000);
  stop();
  expect(s.timers.size).toBe(0);
});

test("it ticks each minute until a deadline comes within the hour", () => {
  const s = setup();
  let ticks = 0;
  s.ticker.subscribe(() => ticks++, 3_600_000 + 120_000);
  s.advance(60_000);
  expect(ticks).toBe(1);
  s.advance(120_000);
  expect(ticks).toBeGreaterThan(50);
});

test("a hidden page does not tick, and is right at once when shown", () => {
  const s = setup();
  s.ticker.subscribe(() => {}, 60_000);
  s.hide(true);
  expect(s.timers.size).toBe(0);
  s.advance(30_000);
  expect(s.ticker.read()).toBe(0);
  s.hide(false);
  expect(s.ticker.read()).toBe(30_000);
});

test("frozen, the numbers stand still; thawed, they jump to the present", () => {
  const s = setup();
  let ticks = 0;
  s.ticker.subscribe(() => ticks++, 60_000);
  s.ticker.freeze(true);
  s.advance(20_000);
  expect([s.ticker.read(), ticks, s.timers.size]).toEqual([0, 1, 0]);
  s.ticker.freeze(false);
  expect(s.ticker.read()).toBe(20_000);
  expect(s.timers.size).toBe(1);
});

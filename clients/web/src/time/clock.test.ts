import { expect, test } from "vitest";
import { parseServerTime, ServerClock } from "./clock";

test("without an answer the browser's clock counts", () => {
  expect(new ServerClock(() => 5_000).now()).toBe(5_000);
});

test("the offset is measured at the middle of the call", () => {
  const clock = new ServerClock(() => 2_000);
  clock.observe(61_050, 1_000, 1_100);
  expect(clock.offset).toBe(60_000);
  expect(clock.now()).toBe(62_000);
});

test("a browser clock that is ahead gives a negative offset", () => {
  const clock = new ServerClock(() => 10_000);
  clock.observe(4_000, 10_000, 10_000);
  expect(clock.now()).toBe(4_000);
});

test("a slow call does not replace a quick one of the same moment", () => {
  const clock = new ServerClock(() => 0);
  clock.observe(1_010, 1_000, 1_020);
  clock.observe(9_000, 1_020, 4_000);
  expect(clock.offset).toBe(0);
});

test("after a while a slower call does, because clocks drift", () => {
  const clock = new ServerClock(() => 0);
  clock.observe(1_010, 1_000, 1_020);
  clock.observe(700_000, 600_000, 600_200);
  expect(clock.offset).toBe(700_000 - 600_100);
});

test.each([
  ["an unreadable time", Number.NaN, 0, 1],
  ["a clock that was set back during the call", 5_000, 100, 50],
])("%s teaches nothing", (_, server, sent, received) => {
  const clock = new ServerClock(() => 7);
  clock.observe(server, sent, received);
  expect(clock.now()).toBe(7);
});

test.each([
  ["2026-11-30T14:32:05.250Z", Date.UTC(2026, 10, 30, 14, 32, 5, 250)],
  ["2026-11-30T15:32:05+01:00", Date.UTC(2026, 10, 30, 14, 32, 5)],
  ["1796049125", 1_796_049_125_000],
  ["1796049125250", 1_796_049_125_250],
  [" 1796049125.5 ", 1_796_049_125_500],
])("reads %s", (header, want) => {
  expect(parseServerTime(header)).toBe(want);
});

test("reads no time out of words", () => {
  expect(parseServerTime("soon")).toBeNaN();
});

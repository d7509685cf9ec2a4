import { create } from "@bufbuild/protobuf";
import { DurationSchema, TimestampSchema } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { agoText, durationText, toMs, toSeconds, untilText, utcText } from "./format";

const noon = Date.UTC(2026, 10, 30, 12, 0, 0);

test("timestamps keep their milliseconds", () => {
  expect(toMs(create(TimestampSchema, { seconds: 1_796_049_125n, nanos: 250_000_000 }))).toBe(
    1_796_049_125_250,
  );
  expect(toMs(undefined)).toBeUndefined();
});

test("durations keep their fraction", () => {
  expect(toSeconds(create(DurationSchema, { seconds: 3n, nanos: 500_000_000 }))).toBe(3.5);
  expect(toSeconds(undefined)).toBeUndefined();
});

test("a duration reads in words", () => {
  expect(durationText(7_505)).toBe("2 h 5 min");
});

test.each([
  [-60_000, "just now"],
  [4_000, "just now"],
  [32_000, "32 s ago"],
  [192_000, "3 min ago"],
  [7_300_000, "2 h ago"],
  [200_000_000, "2 d ago"],
])("%i ms ago", (ms, want) => {
  expect(agoText(noon - ms, noon)).toBe(want);
});

test("absolute times are UTC and say so", () => {
  expect(utcText(noon)).toBe("2026-11-30 12:00:00 UTC");
  expect(untilText(noon, noon - 3_600_000)).toBe("12:00:00 UTC");
  expect(untilText(noon + 86_400_000, noon)).toBe("2026-12-01 12:00:00 UTC");
});

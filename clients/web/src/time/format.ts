import type { Duration, Timestamp } from "@bufbuild/protobuf/wkt";
import { messages as t } from "../i18n/messages";
import { durationParts } from "./countdown";

/** A timestamp in milliseconds since 1970; undefined if it is absent. */
export function toMs(stamp: Timestamp | undefined): number | undefined {
  return stamp && Number(stamp.seconds) * 1000 + stamp.nanos / 1e6;
}

/** A duration in seconds; undefined if it is absent. */
export function toSeconds(duration: Duration | undefined): number | undefined {
  return duration && Number(duration.seconds) + duration.nanos / 1e9;
}

/** Seconds in words, as "4 min 32 s". */
export function durationText(seconds: number): string {
  return durationParts(seconds)
    .map((p) => t.unit[p.unit](p.value))
    .join(" ");
}

/** How long ago atMs is, as "3 min ago"; a time to come counts as now. */
export function agoText(atMs: number, nowMs: number): string {
  const seconds = Math.floor((nowMs - atMs) / 1000);
  const largest = durationParts(seconds)[0];
  if (!largest || seconds < 5) return t.time.justNow;
  return t.time.ago(t.unit[largest.unit](largest.value));
}

/** An instant as UTC, as "2026-11-30 14:32:05 UTC". */
export function utcText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** The time of day as UTC, with the date if it is another day than nowMs. */
export function untilText(ms: number, nowMs: number): string {
  const full = utcText(ms);
  return full.slice(0, 10) === utcText(nowMs).slice(0, 10) ? full.slice(11) : full;
}

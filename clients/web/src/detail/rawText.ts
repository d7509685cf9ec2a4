import { type DescMessage, type JsonValue, type MessageShape, toJson } from "@bufbuild/protobuf";
import { type Run, RunSchema, type Wakeup, WakeupSchema } from "@gen/recovery_pb";

/**
 * The wakeup and its runs as proto JSON. 64-bit numbers are strings there, so
 * that none is damaged on the way through a browser or a clipboard.
 */
export function rawText(wakeup: Wakeup, runs: readonly Run[], sorted: boolean): string {
  const json = (schema: DescMessage, m: MessageShape<DescMessage>) => toJson(schema, m);
  const value: JsonValue = {
    wakeup: json(WakeupSchema, wakeup),
    runs: runs.map((r) => json(RunSchema, r)),
  };
  return JSON.stringify(sorted ? sortKeys(value) : value, null, 2);
}

/** The same value with the keys of every object in order. */
export function sortKeys(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([k, v]) => [k, sortKeys(v)]));
}

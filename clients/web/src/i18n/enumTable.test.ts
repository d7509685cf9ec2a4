import { Code, CodeSchema, file_recourse_v1_common } from "@gen/common_pb";
import { file_recourse_v1_recovery, RunOutcome, WakeupStatus } from "@gen/recovery_pb";
import { describe, expect, test } from "vitest";
import * as causes from "./causes";
import type { EnumTable } from "./enumTable";
import * as outcomes from "./outcomes";
import * as person from "./person";
import * as states from "./states";

const tables = Object.entries({ ...causes, ...outcomes, ...person, ...states }) as [
  string,
  EnumTable<number>,
][];

// Values that mean the same to a reader, on purpose.
const shared = new Set(["effect", "delivery", "preset"]);

describe.each(tables)("%s", (name, table) => {
  test("has words of its own for every value", () => {
    const words = [0, ...table.values].map((v) => table.text(v));
    expect(table.values.length).toBeGreaterThan(1);
    for (const word of words) expect(word).not.toMatch(/^[A-Z]+(_[A-Z0-9]+)+$|^$/);
    if (!shared.has(name)) expect(new Set(words).size).toBe(words.length);
  });

  test("finds each value by its slug", () => {
    for (const v of table.values) {
      expect(table.slug(v)).toMatch(/^[a-z][a-z_]*$/);
      expect(table.parse(table.slug(v))).toBe(v);
    }
    expect(table.parse("")).toBeUndefined();
    expect(table.parse("no_such_value")).toBeUndefined();
  });

  test("shows a value of a newer server by its raw name", () => {
    expect(table.text(9_999)).toMatch(/^[A-Z_]+_9999$/);
    expect(table.slug(9_999)).toMatch(/^[A-Z_]+_9999$/);
  });
});

test("raw names are spelled as the contract spells them", () => {
  expect(causes.code.text(42 as Code)).toBe("CODE_42");
  expect(outcomes.receipt.text(7 as never)).toBe("RECEIPT_KIND_7");
  expect(causes.code.slug(Code.PROVIDER_OVERLOADED)).toBe("provider_overloaded");
  expect(states.status.slug(WakeupStatus.SCHEDULED_RETRY)).toBe("scheduled_retry");
  expect(states.outcome.parse("not_sent")).toBe(RunOutcome.NOT_SENT);
});

test.each(
  [...file_recourse_v1_common.enums, ...file_recourse_v1_recovery.enums].map(
    (desc) => [desc.name, desc] as const,
  ),
)("every value of %s has its words", (_, desc) => {
  const slugs = desc.values.map((v) => v.name.toLowerCase().slice(desc.sharedPrefix?.length ?? 0));
  const table = tables.find(([, t]) => slugs.slice(1).every((s) => t.parse(s) !== undefined));
  expect(table, `no table has words for ${desc.name}`).toBeDefined();
  expect(table?.[1].values).toHaveLength(desc.values.length - 1);
});

test("every code of the contract is in the table", () => {
  expect(causes.code.values).toHaveLength(CodeSchema.values.length - 1);
});

test("the five remedies share no words", () => {
  const joining = new Set(["a", "the", "or", "on", "it", "its"]);
  const words = outcomes.remedy.values.flatMap((v) => [
    ...new Set(
      outcomes.remedy
        .text(v)
        .toLowerCase()
        .split(/[^a-z]+/)
        .filter((w) => w && !joining.has(w)),
    ),
  ]);
  expect(words).toHaveLength(new Set(words).size);
});

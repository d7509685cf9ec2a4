import { Code } from "@gen/common_pb";
import { Attention, WakeupStatus } from "@gen/recovery_pb";
import { describe, expect, test } from "vitest";
import { retrying, wakeup } from "../testing/fixtures";
import { agentDetail, agentName } from "./agentName";
import { announcementOf, changesBetween } from "./changes";
import { filterOf, isFiltered, noFilter, readSearch, searchOf, toggleStatus } from "./filter";
import { hold, release } from "./held";

const S = WakeupStatus;

describe("filters in the address", () => {
  test("survive the way there and back", () => {
    const filter = {
      statuses: [S.PARKED, S.FAILED],
      code: Code.RATE_LIMITED,
      needs: Attention.UNSPECIFIED,
      pageToken: "p2",
    };
    expect(searchOf(filter)).toEqual({ status: "parked,failed", code: "rate_limited", page: "p2" });
    expect(filterOf(searchOf(filter))).toEqual(filter);
  });

  test("unset ones leave it empty", () => {
    expect(searchOf(filterOf({}))).toEqual({});
    expect(isFiltered(filterOf({ page: "p2" }))).toBe(false);
  });

  test("unknown words are left out, known ones beside them stay", () => {
    const filter = filterOf({ status: "failed,melted,,failed", code: "gremlins" });
    expect(filter).toEqual({ ...noFilter, statuses: [S.FAILED] });
  });

  test("values that are no text are dropped", () => {
    expect(readSearch({ status: ["failed"], code: 7, page: "", x: "y" })).toEqual({});
  });

  test("a need stands alone, and an unknown one is none", () => {
    const filter = filterOf({ needs: "person", status: "failed", page: "p2" });
    expect(filter).toEqual({ ...noFilter, needs: Attention.PERSON, pageToken: "p2" });
    expect(searchOf(filter)).toEqual({ needs: "person", page: "p2" });
    expect(filterOf({ needs: "gremlins", status: "failed" }).statuses).toEqual([S.FAILED]);
  });

  test("a changed filter starts at the newest page", () => {
    const filter = { ...filterOf({ status: "failed" }), pageToken: "p2" };
    expect(toggleStatus(filter, S.FAILED)).toMatchObject({ statuses: [], pageToken: "" });
    expect(toggleStatus(filter, S.QUEUED).statuses).toEqual([S.QUEUED, S.FAILED]);
  });
});

describe("what is announced", () => {
  const a = wakeup({ wakeupId: "a" });
  const b = wakeup({ wakeupId: "b" });
  test.each([
    ["nothing changed", [a, b], [a, b], ""],
    ["only a deadline moved", [retrying()], [retrying({ retryCount: 3 })], ""],
    [
      "one changed",
      [a, b],
      [a, wakeup({ wakeupId: "b", status: S.RUNNING })],
      "Claude Code: Running",
    ],
    ["one came", [a], [b, a], "1 new wakeup"],
    [
      "two changed and one came",
      [a, b],
      [wakeup({ wakeupId: "c" }), { ...a, status: S.FAILED }, { ...b, status: S.FAILED }],
      "2 wakeups changed. 1 new wakeup",
    ],
  ])("%s", (_, before, after, want) => {
    expect(announcementOf(before, after)).toBe(want);
  });
});

test("a conflict lists what changed, and nothing else", () => {
  const now = retrying({ status: S.RUNNING, runCount: 2, version: 5n });
  now.dueAt = undefined as never;
  expect(changesBetween(retrying(), now)).toEqual([
    { what: "Status", from: "Retry scheduled", to: "Running" },
    { what: "Runs", from: "1", to: "2" },
    { what: "Next", from: "2026-11-30 14:00:32 UTC", to: "–" },
  ]);
  expect(changesBetween(retrying(), retrying({ version: 9n }))).toEqual([]);
});

describe("held rows", () => {
  const [a, b, c] = ["a", "b", "c"].map((id) => wakeup({ wakeupId: id })) as [
    ReturnType<typeof wakeup>,
    ReturnType<typeof wakeup>,
    ReturnType<typeof wakeup>,
  ];
  test("new ones wait, changed ones change in their place", () => {
    const running = { ...a, status: S.RUNNING };
    const held = hold([a, b], [c, b, running]);
    expect(held.rows.map((r) => [r.wakeup.wakeupId, r.wakeup.status])).toEqual([
      ["a", S.RUNNING],
      ["b", S.QUEUED],
    ]);
    expect(held.newCount).toBe(1);
  });

  test("one that left the filter stays, marked", () => {
    expect(hold([a, b], [b]).rows.map((r) => r.left)).toEqual([true, false]);
  });

  test("released, they are what the server sent", () => {
    expect(release([c, a])).toEqual({
      rows: [
        { wakeup: c, left: false },
        { wakeup: a, left: false },
      ],
      newCount: 0,
    });
  });
});

describe("an agent's name", () => {
  test.each([
    ["claude", "Claude Code"],
    ["my-agent", "my-agent"],
    ["", "Unnamed agent"],
    ["constructor", "constructor"],
  ])("%s", (agentKind, want) => {
    expect(agentName({ ...(wakeup().profile as never as object), agentKind } as never)).toBe(want);
  });

  test("is told apart by its model and labels", () => {
    expect(agentDetail(wakeup().profile)).toBe("sonnet · shop");
    expect(agentDetail(undefined)).toBe("");
  });
});

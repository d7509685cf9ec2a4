import { create } from "@bufbuild/protobuf";
import { type Signal, SignalSchema } from "@gen/common_pb";
import { describe, expect, test } from "vitest";
import { failedRun, wakeup } from "../testing/fixtures";
import { copiesOf, shellQuote } from "./copies";
import { rawText, sortKeys } from "./rawText";
import { splitRedactions } from "./redaction";
import { viewSignal } from "./signalView";

describe("copies", () => {
  const copies = copiesOf(
    wakeup(),
    "http://127.0.0.1:8080",
    "http://127.0.0.1:8080/ui/x",
    "team a",
  );

  test("commands work in a shell and hold no credential", () => {
    expect(copies.agentctl).toBe("agentctl why w-1");
    expect(copies.curl).toBe(
      `curl -H "Authorization: Bearer $AGENTCTL_TOKEN" 'http://127.0.0.1:8080/v1/workspaces/team%20a/wakeups/w-1'`,
    );
  });

  test("JSON is the proto JSON", () => {
    expect(JSON.parse(copies.json)).toMatchObject({ wakeupId: "w-1", version: "1" });
  });

  test.each([
    ["w-1", "w-1"],
    ["a b", "'a b'"],
    ["it's", `'it'\\''s'`],
    ["$(reboot)", "'$(reboot)'"],
    ["", "''"],
  ])("quotes %s", (text, want) => {
    expect(shellQuote(text)).toBe(want);
  });
});

describe("redactions", () => {
  test.each([
    ["key [redacted:api_key] of [redacted:email].", 5, ["[redacted:api_key]", "[redacted:email]"]],
    ["[redacted:token]", 1, ["[redacted:token]"]],
    ["[redacted:] [redacted:A B] plain", 1, []],
    ["", 0, []],
  ])("%s", (text, count, marked) => {
    const pieces = splitRedactions(text);
    expect(pieces).toHaveLength(count);
    expect(pieces.filter((p) => p.redacted).map((p) => p.text)).toEqual(marked);
    expect(pieces.map((p) => p.text).join("")).toBe(text);
  });
});

describe("raw", () => {
  test("nothing is lost but the order of keys", () => {
    const [w, runs] = [wakeup(), [failedRun()]];
    const plain = JSON.parse(rawText(w, runs, false)) as object;
    expect(JSON.parse(rawText(w, runs, true))).toEqual(plain);
    expect(rawText(w, runs, true)).not.toBe(rawText(w, runs, false));
  });

  test("keys are sorted at every depth, lists are not", () => {
    const sorted = JSON.stringify(sortKeys({ b: [{ d: 1, c: null }, 2, 1], a: "x" }));
    expect(sorted).toBe('{"a":"x","b":[{"c":null,"d":1},2,1]}');
  });
});

describe("signals", () => {
  const view = (channel: Signal["channel"], more: object = {}) =>
    viewSignal(create(SignalSchema, { channel: channel as never, ...more }));

  test.each([
    [
      { case: "http", value: { status: 529, headers: { b: "2", a: "1" }, body: "{}" } },
      ["HTTP response", "529", "a: 1\nb: 2\n{}"],
    ],
    [
      { case: "acpError", value: { code: -32603, message: "m", data: '{"x":1}' } },
      ["ACP error", "-32603", 'm\n{"x":1}'],
    ],
    [{ case: "acpUpdate", value: { kind: "notice", text: "t" } }, ["ACP update", "notice", "t"]],
    [
      { case: "acpResult", value: { stopReason: "end_turn", data: "{}" } },
      ["ACP result", "end_turn", "{}"],
    ],
    [{ case: "stderr", value: { text: " as is \n" } }, ["stderr", "", " as is \n"]],
    [{ case: "stdout", value: { text: "o" } }, ["stdout", "", "o"]],
    [
      { case: "resultEvent", value: { type: "result", status: 429, text: "slow" } },
      ["Result event", "result 429", "slow"],
    ],
    [
      { case: "processExit", value: { exitCode: 0, endedBy: "supervisor" } },
      ["Process end", "", "exit code 0, ended by the supervisor"],
    ],
    [
      { case: "processExit", value: { signal: "SIGKILL" } },
      ["Process end", "", "ended by SIGKILL"],
    ],
    [
      { case: "processExit", value: { spawnError: "ENOENT" } },
      ["Process end", "", "could not start: ENOENT"],
    ],
    [{ case: undefined }, ["Unknown channel", "", ""]],
  ])("%j", (channel, [name, head, body]) => {
    expect(view(channel as never)).toEqual({ channel: name, head, body, notes: [] });
  });

  test("what does not count or is missing is said", () => {
    const marked = view({ case: "stdout", value: { text: "429" } } as never, {
      inFlight: true,
      prose: true,
      foreign: true,
      cutBytes: 7,
    });
    expect(marked.notes).toEqual([
      "the agent was retrying by itself",
      "ordinary text, not a failure channel",
      "belongs to another session",
      "7 bytes were cut out of the middle",
    ]);
  });
});

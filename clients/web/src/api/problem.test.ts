import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { Code, ConnectError } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { errorInfoOf } from "./errorInfo";
import { problemOf, problemText } from "./problem";

function errorInfo(reason: string, metadata: Record<string, string>): Uint8Array {
  const w = new BinaryWriter();
  w.tag(1, WireType.LengthDelimited).string(reason);
  w.tag(2, WireType.LengthDelimited).string("recourse.dev");
  for (const [k, v] of Object.entries(metadata)) {
    const entry = new BinaryWriter();
    entry.tag(1, WireType.LengthDelimited).string(k).tag(2, WireType.LengthDelimited).string(v);
    w.tag(3, WireType.LengthDelimited).bytes(entry.finish());
  }
  // A field of a later version must not stop the reader.
  w.tag(9, WireType.Varint).uint32(7);
  return w.finish();
}

function failure(code: Code, value?: Uint8Array): ConnectError {
  const err = new ConnectError("it changed", code, { "x-request-id": "req-7" });
  if (value) err.details.push({ type: "google.rpc.ErrorInfo", value } as never);
  return err;
}

test("a conflict carries its reason, request id and metadata", () => {
  const p = problemOf(failure(Code.Aborted, errorInfo("STALE_VERSION", { version: "12" })));
  expect(p).toMatchObject({ reason: "STALE_VERSION", requestId: "req-7", conflict: true });
  expect(p.metadata).toEqual({ version: "12" });
  expect(problemText(p)).toBe("STALE_VERSION: it changed\nrequest req-7\nversion=12");
});

test("an error without details is named by its status", () => {
  expect(problemOf(failure(Code.NotFound))).toMatchObject({ reason: "NOT_FOUND", missing: true });
  expect(problemOf(failure(Code.DeadlineExceeded)).reason).toBe("DEADLINE_EXCEEDED");
});

test("damaged details are no details", () => {
  expect(errorInfoOf(failure(Code.Aborted, new Uint8Array([0x0a, 0xff])))).toBeUndefined();
});

test("a network failure is told from an answer", () => {
  const down = ConnectError.from(new TypeError("Failed to fetch"));
  expect(problemOf(down).unreachable).toBe(true);
  expect(problemOf(failure(Code.Unavailable)).unreachable).toBe(false);
});

test("anything thrown becomes a problem", () => {
  expect(problemOf("odd").message).toContain("odd");
  expect(problemOf(undefined).reason).not.toBe("");
});

import { Code, ConnectError } from "@connectrpc/connect";
import { errorInfoOf } from "./errorInfo";

/** What went wrong with a call, ready to be shown and copied. */
export interface Problem {
  /** The server's own sentence, or the browser's. */
  message: string;
  /** The stable reason, or the name of the status code, as "UNAVAILABLE". */
  reason: string;
  /** The id that finds the call in the server's log; empty if no answer came. */
  requestId: string;
  /** What the server adds to the reason. */
  metadata: Record<string, string>;
  /** No answer came at all. */
  unreachable: boolean;
  /** The asked object does not exist. */
  missing: boolean;
  /** The object changed since it was read. */
  conflict: boolean;
}

/** Turns anything thrown by a call into a problem. */
export function problemOf(thrown: unknown): Problem {
  const err = ConnectError.from(thrown);
  const info = errorInfoOf(err);
  const requestId = err.metadata.get("x-request-id") ?? "";
  const name = (Code[err.code] ?? "Unknown").replace(/([a-z])([A-Z])/g, "$1_$2").toUpperCase();
  return {
    message: err.rawMessage,
    reason: info?.reason || name,
    requestId,
    metadata: info?.metadata ?? {},
    unreachable: !requestId && (err.code === Code.Unavailable || err.cause instanceof TypeError),
    missing: err.code === Code.NotFound,
    conflict: err.code === Code.Aborted || err.code === Code.FailedPrecondition,
  };
}

/** A problem as text for a report: no more than what is on the screen. */
export function problemText(p: Problem): string {
  const facts = Object.entries(p.metadata).map(([k, v]) => `${k}=${v}`);
  return [`${p.reason}: ${p.message}`, p.requestId && `request ${p.requestId}`, ...facts]
    .filter(Boolean)
    .join("\n");
}

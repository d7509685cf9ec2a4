import type { Signal } from "@gen/common_pb";
import { messages as t } from "../i18n/messages";

/** One signal, ready to be read. */
export interface SignalView {
  /** The channel it came through. */
  channel: string;
  /** What stands beside the channel: status, code or kind. */
  head: string;
  /** What it said, verbatim. */
  body: string;
  /** Why it may not count, and what is missing of it. */
  notes: string[];
}

const words = t.detail.evidence;

/** Reads a signal; one of a channel that this page does not know keeps its notes. */
export function viewSignal(signal: Signal): SignalView {
  const notes = [
    signal.inFlight && words.inFlight,
    signal.prose && words.prose,
    signal.foreign && words.foreign,
    signal.cutBytes > 0 && words.cut(signal.cutBytes),
  ].filter((n): n is string => typeof n === "string");
  return { ...contentOf(signal), notes };
}

function contentOf({ channel }: Signal): Omit<SignalView, "notes"> {
  const names = words.channels;
  switch (channel.case) {
    case "http": {
      const { status, headers, body } = channel.value;
      const lines = Object.entries(headers)
        .sort(([a], [b]) => a.localeCompare(b))
        .map(([k, v]) => `${k}: ${v}`);
      return {
        channel: names.http,
        head: status ? String(status) : "",
        body: [...lines, body].join("\n").trim(),
      };
    }
    case "acpError": {
      const { code, message, data } = channel.value;
      return { channel: names.acpError, head: String(code), body: join(message, data) };
    }
    case "acpUpdate": {
      const { kind, text, data } = channel.value;
      return { channel: names.acpUpdate, head: kind, body: join(text, data) };
    }
    case "acpResult":
      return { channel: names.acpResult, head: channel.value.stopReason, body: channel.value.data };
    case "resultEvent": {
      const { type, status, text, data } = channel.value;
      const head = [type, status || ""].filter(Boolean).join(" ");
      return { channel: names.resultEvent, head, body: join(text, data) };
    }
    case "stderr":
    case "stdout":
      return { channel: names[channel.case], head: "", body: channel.value.text };
    case "processExit":
      return { channel: names.processExit, head: "", body: exitText(channel.value) };
    default:
      return { channel: names.unknown, head: "", body: "" };
  }
}

function exitText(exit: {
  exitCode?: number | undefined;
  signal: string;
  spawnError: string;
  endedBy: string;
}) {
  return [
    exit.exitCode !== undefined && words.exit(exit.exitCode),
    exit.signal && words.signal(exit.signal),
    exit.spawnError && words.spawn(exit.spawnError),
    exit.endedBy && words.endedBy(exit.endedBy),
  ]
    .filter(Boolean)
    .join(", ");
}

function join(...parts: string[]): string {
  return parts.filter(Boolean).join("\n");
}

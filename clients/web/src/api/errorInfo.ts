import { BinaryReader } from "@bufbuild/protobuf/wire";
import { ConnectError } from "@connectrpc/connect";

/** The machine-readable part of an error: google.rpc.ErrorInfo. */
export interface ErrorInfo {
  /** The stable reason, as "STALE_VERSION". */
  reason: string;
  domain: string;
  metadata: Record<string, string>;
}

const typeName = "google.rpc.ErrorInfo";

/** The ErrorInfo that err carries; undefined if it carries none that can be read. */
export function errorInfoOf(err: unknown): ErrorInfo | undefined {
  const found = ConnectError.from(err).details.find((d) => "type" in d && d.type === typeName);
  if (!found || !("value" in found) || !(found.value instanceof Uint8Array)) return undefined;
  try {
    return readErrorInfo(found.value);
  } catch {
    return undefined;
  }
}

// The message is not in the generated client: its file would bring all of
// google.rpc along for three fields.
function readErrorInfo(bytes: Uint8Array): ErrorInfo {
  const info: ErrorInfo = { reason: "", domain: "", metadata: {} };
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [field, wire] = reader.tag();
    if (field === 1) info.reason = reader.string();
    else if (field === 2) info.domain = reader.string();
    else if (field === 3) readEntry(reader.bytes(), info.metadata);
    else reader.skip(wire);
  }
  return info;
}

function readEntry(bytes: Uint8Array, into: Record<string, string>): void {
  const reader = new BinaryReader(bytes);
  let [key, value] = ["", ""];
  while (reader.pos < reader.len) {
    const [field, wire] = reader.tag();
    if (field === 1) key = reader.string();
    else if (field === 2) value = reader.string();
    else reader.skip(wire);
  }
  into[key] = value;
}

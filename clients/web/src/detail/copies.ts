import { toJsonString } from "@bufbuild/protobuf";
import { type Wakeup, WakeupSchema } from "@gen/recovery_pb";

/** Quotes text for a POSIX shell. */
export function shellQuote(text: string): string {
  return /^[\w./:@=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The ways to take a wakeup elsewhere. No copy ever holds a credential. */
export function copiesOf(w: Wakeup, base: string, pageUrl: string, workspaceId: string) {
  const path = `/v1/workspaces/${encodeURIComponent(workspaceId)}/wakeups/${encodeURIComponent(w.wakeupId)}`;
  return {
    link: pageUrl,
    id: w.wakeupId,
    agentctl: `agentctl why ${shellQuote(w.wakeupId)}`,
    curl: `curl -H "Authorization: Bearer $AGENTCTL_TOKEN" ${shellQuote(base + path)}`,
    json: toJsonString(WakeupSchema, w, { prettySpaces: 2 }),
  };
}

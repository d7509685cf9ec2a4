import type { Wakeup } from "@gen/recovery_pb";
import { endingText } from "../i18n/because";
import { code } from "../i18n/causes";
import { messages as t } from "../i18n/messages";
import { action } from "../i18n/outcomes";
import { status } from "../i18n/states";
import { toMs, utcText } from "../time/format";
import { agentName } from "./agentName";

/**
 * What a screen reader should hear of the step from one list to the next:
 * changed statuses and new wakeups, never ticks. Empty if nothing of the kind.
 */
export function announcementOf(before: readonly Wakeup[], after: readonly Wakeup[]): string {
  const known = new Map(before.map((w) => [w.wakeupId, w]));
  const changed = after.filter((w) => {
    const old = known.get(w.wakeupId);
    return old !== undefined && old.status !== w.status;
  });
  const added = after.filter((w) => !known.has(w.wakeupId)).length;
  const said: string[] = [];
  const [only] = changed;
  if (only && changed.length === 1) {
    said.push(t.announce.one(agentName(only.profile), status.text(only.status)));
  } else if (changed.length > 1) {
    said.push(t.announce.many(changed.length));
  }
  if (added > 0) said.push(t.announce.added(added));
  return said.join(". ");
}

/** One fact that differs between two states of a wakeup. */
export interface Change {
  what: string;
  from: string;
  to: string;
}

/** What changed between the wakeup that was on the screen and the present one. */
export function changesBetween(seen: Wakeup, now: Wakeup): Change[] {
  const due = (w: Wakeup) => (w.dueAt ? utcText(toMs(w.dueAt) ?? 0) : "–");
  const facts: [string, (w: Wakeup) => string][] = [
    [t.list.columns.status, (w) => status.text(w.status)],
    [t.list.columns.chain, (w) => String(w.runCount)],
    [t.list.columns.code, (w) => code.text(w.lastClassification?.code ?? 0)],
    [t.detail.steps.decision, (w) => action.text(w.lastDecision?.action ?? 0)],
    [t.list.columns.next, due],
    [t.detail.facts.generation, (w) => String(w.generation)],
    [t.detail.facts.reason, (w) => (w.statusReason ? endingText(w.statusReason) : "–")],
  ];
  return facts
    .map(([what, read]) => ({ what, from: read(seen), to: read(now) }))
    .filter((c) => c.from !== c.to);
}

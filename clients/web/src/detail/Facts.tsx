import type { Wakeup } from "@gen/recovery_pb";
import { endingText, sourceText } from "../i18n/because";
import { messages as t } from "../i18n/messages";
import { deliveryMode } from "../i18n/person";
import { sessionState } from "../i18n/states";
import { toMs, utcText } from "../time/format";
import css from "./summary.module.css";

/** Ids, times and places of a wakeup; folded, since they are for looking up. */
export function Facts({ wakeup: w }: { wakeup: Wakeup }) {
  const words = t.detail.facts;
  const instant = (stamp: Wakeup["createdAt"]) => (stamp ? utcText(toMs(stamp) ?? 0) : "");
  const facts: [string, string][] = [
    [words.wakeup, w.wakeupId],
    [words.session, w.sessionId],
    [words.sessionState, w.sessionState ? sessionState.text(w.sessionState) : ""],
    [words.generation, String(w.generation)],
    [words.native, w.nativeSessionId],
    [words.host, w.supervisor?.hostId ?? ""],
    [words.source, w.source && sourceText(w.source)],
    [words.delivery, w.delivery ? deliveryMode.text(w.delivery) : ""],
    [words.created, instant(w.createdAt)],
    [words.ended, instant(w.endedAt)],
    [words.reason, w.statusReason && endingText(w.statusReason)],
  ];
  return (
    <details className={css.facts}>
      <summary>{words.title}</summary>
      <dl>
        {facts
          .filter(([, value]) => value)
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </details>
  );
}

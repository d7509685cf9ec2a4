import type { Run, Wakeup } from "@gen/recovery_pb";
import { code as codes, delivery, effect } from "../i18n/causes";
import { messages as t } from "../i18n/messages";
import { send } from "../i18n/outcomes";
import { outcome as outcomes, runState } from "../i18n/states";
import { durationText, toMs, utcText } from "../time/format";
import css from "./attempts.module.css";

const words = t.detail.attempts;

/** Every run with what it took and what it is known to have done. */
export function Attempts({ runs }: { wakeup: Wakeup; runs: readonly Run[] }) {
  if (runs.length === 0) return <p>{words.none}</p>;
  return (
    <ul className={css.list}>
      {runs.map((run) => (
        <li key={run.runId} className={css.run}>
          <h3>
            {t.detail.run(run.ordinal)} <span className={css.fine}>{run.runId}</span>
          </h3>
          <dl className={css.facts}>
            {factsOf(run).map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}

/** What is known of a run, in pairs; what is not known is left out. */
export function factsOf(run: Run): [string, string][] {
  const claimed = toMs(run.claimedAt);
  const settled = toMs(run.settledAt);
  const code = run.classification?.code;
  const e = run.effects;
  const facts: [string, string | undefined][] = [
    [words.outcome, run.outcome ? outcomes.text(run.outcome) : runState.text(run.state)],
    [words.sent, send.text(run.send)],
    [words.cause, code ? codes.text(code) : undefined],
    [words.claimed, claimed === undefined ? undefined : utcText(claimed)],
    [
      words.duration,
      claimed !== undefined && settled !== undefined
        ? durationText((settled - claimed) / 1000)
        : undefined,
    ],
    [words.cost, run.costUsd > 0 ? `$${run.costUsd.toFixed(2)}` : undefined],
    [t.detail.effects.assistantOutput, e && effect.text(e.assistantOutput)],
    [t.detail.effects.toolActivity, e && effect.text(e.toolActivity)],
    [t.detail.effects.partialResult, e && effect.text(e.partialResult)],
    [t.detail.effects.delivery, e && delivery.text(e.delivery)],
    [t.detail.facts.host, run.supervisor?.hostId || undefined],
    [t.detail.facts.native, run.nativeSessionId || undefined],
  ];
  return facts.filter((f): f is [string, string] => f[1] !== undefined);
}

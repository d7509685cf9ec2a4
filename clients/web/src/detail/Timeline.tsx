import type { Run, Wakeup } from "@gen/recovery_pb";
import type { ReactNode } from "react";
import { code as codes, confidence, failureClass } from "../i18n/causes";
import { messages as t } from "../i18n/messages";
import { action, boundary, send, stopReason } from "../i18n/outcomes";
import { outcome as outcomes, runState } from "../i18n/states";
import { Ago } from "../time/Countdown";
import { durationText, toMs, utcText } from "../time/format";
import { stateOfRun } from "../wakeup/chain";
import { NextStep } from "../wakeup/NextStep";
import { Redacted } from "./Redacted";
import css from "./timeline.module.css";

const steps = t.detail.steps;

/** Every run from dispatch to decision, oldest first, and what comes after. */
export function Timeline({ wakeup, runs }: { wakeup: Wakeup; runs: readonly Run[] }) {
  return (
    <ol className={css.timeline}>
      {runs.map((run) => (
        <li key={run.runId} className={css.run} data-state={stateOfRun(run)}>
          <RunHead run={run} />
          <dl className={css.steps}>
            <DispatchStep run={run} />
            {run.classification && <FailureSteps run={run} />}
          </dl>
        </li>
      ))}
      <li className={css.run} data-state="waiting">
        <div className={css.head}>
          <h3>{steps.next}</h3>
        </div>
        <NextStep wakeup={wakeup} />
      </li>
    </ol>
  );
}

function RunHead({ run }: { run: Run }) {
  const began = toMs(run.claimedAt);
  const state = run.outcome ? outcomes.text(run.outcome) : runState.text(run.state);
  return (
    <div className={css.head}>
      <h3>{t.detail.run(run.ordinal)}</h3>
      <span className={css.state}>{state}</span>
      <span className={css.fine}>{t.detail.sent(send.text(run.send))}</span>
      {began !== undefined && (
        <span className={css.time}>
          <Ago at={began} />
        </span>
      )}
      {run.late && <p className={css.fine}>{steps.late}</p>}
    </div>
  );
}

function Step({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function DispatchStep({ run }: { run: Run }) {
  const times: [string, number | undefined][] = [
    [steps.claimed, toMs(run.claimedAt)],
    [steps.sending, toMs(run.sendingAt)],
    [steps.delivered, toMs(run.deliveredAt)],
    [steps.settled, toMs(run.settledAt)],
  ];
  const known = times.filter((x): x is [string, number] => x[1] !== undefined);
  const lease = toMs(run.leaseExpiresAt);
  return (
    <Step name={steps.dispatch}>
      <ol className={css.dispatch}>
        {known.map(([name, ms], i) => (
          <li key={name}>
            <span title={utcText(ms)}>{name}</span>
            <span className={css.fine}>{sincePrevious(ms, known[i - 1]?.[1])}</span>
          </li>
        ))}
      </ol>
      {lease !== undefined && <p className={css.fine}>{steps.lease(utcText(lease))}</p>}
    </Step>
  );
}

function sincePrevious(ms: number, before: number | undefined): string {
  if (before === undefined) return utcText(ms);
  return `+ ${durationText((ms - before) / 1000)}`;
}

function FailureSteps({ run }: { run: Run }) {
  const c = run.classification;
  const d = run.decision;
  return (
    <>
      {c?.safeExcerpt && (
        <Step name={steps.evidence}>
          <pre className={css.excerpt}>
            <Redacted text={c.safeExcerpt} />
          </pre>
        </Step>
      )}
      {c && (
        <Step name={steps.rule}>
          <strong>{codes.text(c.code)}</strong> <code>{codes.slug(c.code)}</code>
          <p className={css.fine}>
            {c.ruleId ? <code>{c.ruleId}</code> : steps.noRule} · {failureClass.text(c.class)} ·{" "}
            {confidence.text(c.confidence)}
          </p>
        </Step>
      )}
      {d && (
        <Step name={steps.decision}>
          <strong>{action.text(d.action)}</strong>
          {d.stopReason ? ` – ${stopReason.text(d.stopReason)}` : null}
          <p className={css.fine}>
            {d.boundary ? t.detail.decision.boundary(boundary.text(d.boundary)) : null}
            {d.boundary && d.policy ? " · " : null}
            {d.policy && <code>{d.policy}</code>}
          </p>
        </Step>
      )}
    </>
  );
}

import type { Decision, ProfileSnapshot, Run, Wakeup } from "@gen/recovery_pb";
import type { ReactNode } from "react";
import { code as codes, confidence, failureClass, scope, throttle } from "../i18n/causes";
import { messages as t } from "../i18n/messages";
import { action, boundary, preset, remedy, send, stopReason } from "../i18n/outcomes";
import { durationText, toSeconds } from "../time/format";
import { NextStep } from "../wakeup/NextStep";
import { Because } from "./Because";
import css from "./decision.module.css";

const words = t.detail.decision;

/** How the last decision came about: input, rule, verdict, and why not otherwise. */
export function DecisionTab({ wakeup: w }: { wakeup: Wakeup; runs: readonly Run[] }) {
  const d = w.lastDecision;
  return (
    <div className={css.decision}>
      {d ? (
        <>
          <RuleCard wakeup={w} />
          <VerdictCard decision={d} />
          <Card title={words.why}>
            <Because entries={d.because} />
          </Card>
        </>
      ) : (
        <p>{words.none}</p>
      )}
      <Card title={words.after}>
        <NextStep wakeup={w} />
      </Card>
      {w.profile && <PolicyCard profile={w.profile} />}
    </div>
  );
}

function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={css.card}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

function RuleCard({ wakeup: w }: { wakeup: Wakeup }) {
  const c = w.lastClassification;
  if (!c) return null;
  return (
    <Card title={words.input}>
      <p>
        <strong>{codes.text(c.code)}</strong> <code>{codes.slug(c.code)}</code>
      </p>
      <p className={css.fine}>
        {[
          failureClass.text(c.class),
          confidence.text(c.confidence),
          c.scope ? scope.text(c.scope) : "",
          c.throttle ? throttle.text(c.throttle) : "",
        ]
          .filter(Boolean)
          .join(" · ")}
      </p>
      <p className={css.fine}>
        {words.rule}: <code>{c.ruleId || t.detail.steps.noRule}</code>
        {c.catalogueVersion && ` · ${words.catalogue(c.catalogueVersion)}`}
      </p>
      {c.conflictsWith && <p className={css.fine}>{words.conflict(c.conflictsWith)}</p>}
      {c.hintRejections.length > 0 && (
        <>
          <p className={css.fine}>{words.hints}</p>
          <ul className={css.hints}>
            {c.hintRejections.map((h) => (
              <li key={`${h.text} ${h.reason}`}>
                <q>{h.text}</q> <code>{h.reason}</code>
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}

function VerdictCard({ decision: d }: { decision: Decision }) {
  return (
    <Card title={words.verdict}>
      <p>
        <strong>{action.text(d.action)}</strong>
        {d.ordinal > 0 && d.maxAttempts > 0 && ` · ${words.attempt(d.ordinal, d.maxAttempts)}`}
      </p>
      {d.stopReason ? <p>{stopReason.text(d.stopReason)}</p> : null}
      <p className={css.fine}>
        {d.boundary ? words.boundary(boundary.text(d.boundary)) : words.unsafe}
      </p>
      {d.send ? <p className={css.fine}>{t.detail.sent(send.text(d.send))}</p> : null}
      {d.remedy && d.stopReason ? <p>{remedy.text(d.remedy)}</p> : null}
      {d.policy && (
        <p className={css.fine}>
          {words.decidedBy} <code>{d.policy}</code>
        </p>
      )}
    </Card>
  );
}

function PolicyCard({ profile }: { profile: ProfileSnapshot }) {
  const maxWait = toSeconds(profile.policy?.maxWait);
  const facts: [string, string | undefined][] = [
    [words.preset, preset.text(profile.policy?.preset ?? 0)],
    [words.maxWait, maxWait === undefined ? undefined : durationText(maxWait)],
    [words.replaySafe, profile.policy?.replaySafe ? words.yes : words.no],
    [words.agent, [profile.agentKind, profile.agentVersion].filter(Boolean).join(" ")],
    [words.provider, profile.provider],
    [words.model, profile.model],
    [words.command, profile.argvShape.join(" ")],
    [
      words.labels,
      Object.entries(profile.labels)
        .map(([k, v]) => `${k}=${v}`)
        .join(", "),
    ],
  ];
  return (
    <Card title={words.policy}>
      <dl className={css.facts}>
        {facts
          .filter(([, value]) => value)
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </Card>
  );
}

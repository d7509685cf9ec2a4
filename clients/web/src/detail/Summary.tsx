import type { Run, Wakeup } from "@gen/recovery_pb";
import { ActionBar } from "../action/ActionBar";
import { Stopping, stoppingSince } from "../action/Stopping";
import { useTick } from "../app/services";
import { Command } from "../component/Command";
import { code as codes, failureClass } from "../i18n/causes";
import { messages as t } from "../i18n/messages";
import { receipt as receiptKinds, stopReason } from "../i18n/outcomes";
import { Countdown } from "../time/Countdown";
import { countdownAt } from "../time/countdown";
import { agentDetail, agentName } from "../wakeup/agentName";
import { Chain } from "../wakeup/Chain";
import { chainOfRuns } from "../wakeup/chain";
import { type NextAction, nextActionOf } from "../wakeup/nextAction";
import { StatusPill } from "../wakeup/StatusPill";
import { CopyAs } from "./CopyAs";
import { Facts } from "./Facts";
import css from "./summary.module.css";
import { WaitsFor } from "./WaitsFor";

/** The head of the page: which agent, what failed, what happens next, and what may be pressed. */
export function Summary({ wakeup: w, runs }: { wakeup: Wakeup; runs: readonly Run[] }) {
  const detail = agentDetail(w.profile);
  return (
    <section className={css.summary}>
      <div className={css.head}>
        <StatusPill status={w.status} />
        <h1 className={css.title}>
          {agentName(w.profile)}
          {detail && <span className={css.sub}> {detail}</span>}
        </h1>
        <Chain links={chainOfRuns(w, runs)} most={6} />
      </div>
      <Failure wakeup={w} />
      <Next wakeup={w} stopping={stoppingSince(w, runs)} />
      <div className={css.actions}>
        <ActionBar wakeup={w} />
      </div>
      <div className={css.foot}>
        <Facts wakeup={w} />
        <CopyAs wakeup={w} />
      </div>
    </section>
  );
}

function Failure({ wakeup: w }: { wakeup: Wakeup }) {
  const c = w.lastClassification;
  if (!c?.code) return null;
  const stop = w.lastDecision?.stopReason;
  return (
    <div className={css.failure}>
      <span className={css.label}>{t.detail.lastFailure}</span>
      <strong>{codes.text(c.code)}</strong>
      <span className={css.fine}>
        <code>{codes.slug(c.code)}</code> · {failureClass.text(c.class)}
      </span>
      {stop ? <span>{stopReason.text(stop)}</span> : null}
    </div>
  );
}

function Next({ wakeup: w, stopping }: { wakeup: Wakeup; stopping: number | undefined }) {
  const next = nextActionOf(w);
  return (
    <div className={css.next} data-person={next.needsPerson || undefined}>
      <span className={css.label}>{t.detail.next}</span>
      {stopping === undefined ? <Step next={next} /> : <Stopping since={stopping} />}
      {w.waitsForRunId && <WaitsFor runId={w.waitsForRunId} />}
      {next.note && <p className={css.fine}>{next.note}</p>}
      <Receipt next={next} />
      {next.deadline !== undefined && <Overdue deadline={next.deadline} id={w.wakeupId} />}
    </div>
  );
}

function Step({ next }: { next: NextAction }) {
  return (
    <p className={css.action}>
      {next.text}
      {next.deadline !== undefined && (
        <span className={css.countdown}>
          <Countdown deadline={next.deadline} />
        </span>
      )}
    </p>
  );
}

function Receipt({ next: { receipt } }: { next: NextAction }) {
  if (!receipt) return null;
  return (
    <p className={css.fine}>
      {t.detail.receipt}: {receiptKinds.text(receipt.kind)}
      {receipt.source && (
        <>
          {" · "}
          <code>{receipt.source}</code>
        </>
      )}
    </p>
  );
}

function Overdue({ deadline, id }: { deadline: number; id: string }) {
  const now = useTick(deadline);
  if (countdownAt(deadline, now).phase !== "overdue") return null;
  return (
    <div className={css.overdue}>
      <p>{t.next.overdueHelp}</p>
      <Command text={`agentctl run --continue ${id}`} />
    </div>
  );
}

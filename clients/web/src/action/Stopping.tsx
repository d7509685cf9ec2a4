import { type Run, type Wakeup, WakeupStatus } from "@gen/recovery_pb";
import { Icon } from "../component/Icon";
import { messages as t } from "../i18n/messages";
import { Ago } from "../time/Countdown";
import { toMs } from "../time/format";
import css from "./stopping.module.css";

const words = t.act;

/** When somebody asked to end the newest run, in milliseconds; undefined unless it still goes on. */
export function stoppingSince(w: Wakeup, runs: readonly Run[]): number | undefined {
  if (w.status !== WakeupStatus.RUNNING) return undefined;
  return toMs(runs.find((r) => r.runId === w.lastRunId)?.stopRequestedAt);
}

/** Says that a run was asked to end and has not yet, and since when. */
export function Stopping({ since }: { since: number }) {
  return (
    <div className={css.stopping}>
      <p className={css.head}>
        <Icon name="cancelled" size={18} />
        <strong>{words.stopping}</strong>
        <span className={css.since}>
          {words.asked} <Ago at={since} />
        </span>
      </p>
      <p className={css.note}>{words.stoppingNote}</p>
    </div>
  );
}

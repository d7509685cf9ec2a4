import { DeliveryMode, type Wakeup, WakeupStatus } from "@gen/recovery_pb";
import { Command } from "../component/Command";
import { messages as t } from "../i18n/messages";
import css from "./action.module.css";

/** Whether only the caller that delivers this wakeup can go on after it has ended. */
export function endedAtItsCaller(w: Wakeup): boolean {
  const caller = w.delivery === DeliveryMode.CALLER;
  return caller && w.endedAt !== undefined && w.status !== WakeupStatus.COMPLETED;
}

/** How to go on where the prompt is: no button here can. */
export function OnItsHost({ wakeup }: { wakeup: Wakeup }) {
  return (
    <div className={css.bar}>
      <p className={css.note}>{t.act.onItsHost(wakeup.supervisor?.hostId ?? "")}</p>
      <Command text={`agentctl run --continue ${wakeup.wakeupId}`} />
      <p className={css.fine}>{t.act.onItsHostFresh}</p>
    </div>
  );
}

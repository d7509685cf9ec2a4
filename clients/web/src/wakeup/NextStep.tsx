import type { Receipt, Wakeup } from "@gen/recovery_pb";
import { Icon } from "../component/Icon";
import { receipt as receiptKinds } from "../i18n/outcomes";
import { Countdown } from "../time/Countdown";
import css from "./next.module.css";
import { nextActionOf } from "./nextAction";

/** One line: what happens next, when, and who said so. */
export function NextStep({ wakeup }: { wakeup: Wakeup }) {
  const next = nextActionOf(wakeup);
  return (
    <span className={css.next}>
      <span className={next.needsPerson ? css.person : css.text}>
        {next.needsPerson && <Icon name="person" size={14} />}
        {next.text}
      </span>
      {next.deadline !== undefined && (
        <span className={css.when}>
          <Countdown deadline={next.deadline} />
          {next.receipt && <ReceiptNote receipt={next.receipt} />}
        </span>
      )}
    </span>
  );
}

/** Who a deadline comes from, in two or three words. */
export function ReceiptNote({ receipt }: { receipt: Receipt }) {
  return (
    <span className={css.receipt} title={receipt.source}>
      {receiptKinds.text(receipt.kind)}
    </span>
  );
}

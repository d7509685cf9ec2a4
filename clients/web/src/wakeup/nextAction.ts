import {
  Action,
  DeliveryMode,
  ParkReason,
  type Receipt,
  Remedy,
  type Wakeup,
  WakeupStatus,
} from "@gen/recovery_pb";
import { endingText } from "../i18n/because";
import { messages as t } from "../i18n/messages";
import { remedy, send } from "../i18n/outcomes";
import { parkReason } from "../i18n/person";
import { toMs, utcText } from "../time/format";

/** What happens next to a wakeup, as the server has decided it. */
export interface NextAction {
  /** What happens, in words. */
  text: string;
  /** More about it: what is sent, or which reset nobody waits for. */
  note?: string;
  /** When it happens, in milliseconds by the server's clock; absent where no deadline is owned. */
  deadline?: number;
  /** Where the deadline comes from. */
  receipt?: Receipt;
  /** A person has to act. */
  needsPerson: boolean;
}

const terminal: Record<number, string> = {
  [WakeupStatus.COMPLETED]: t.next.completed,
  [WakeupStatus.CANCELLED]: t.next.cancelled,
  [WakeupStatus.TIMED_OUT]: t.next.timedOut,
};

/** Says what happens next. It never concludes more than the server stored. */
export function nextActionOf(w: Wakeup): NextAction {
  switch (w.status) {
    case WakeupStatus.QUEUED:
      return queued(w);
    case WakeupStatus.RUNNING:
      return { text: t.next.running(w.runCount), needsPerson: false };
    case WakeupStatus.SCHEDULED_RETRY:
      return timed(w, retryText(w));
    case WakeupStatus.PARKED:
      return parked(w);
    case WakeupStatus.FAILED:
      return person(w);
    default:
      return ended(w);
  }
}

function queued(w: Wakeup): NextAction {
  const text = w.delivery === DeliveryMode.WORKER ? t.next.queuedWorker : t.next.queued;
  return { text, needsPerson: false, ...sends(w) };
}

function sends(w: Wakeup): { note?: string } {
  return w.nextSend ? { note: t.detail.sent(send.text(w.nextSend)) } : {};
}

function ended(w: Wakeup): NextAction {
  const text = terminal[w.status] ?? t.next.unknown;
  const why = w.status === WakeupStatus.COMPLETED ? "" : w.statusReason;
  return { text, needsPerson: false, ...(why ? { note: endingText(why) } : {}) };
}

function retryText(w: Wakeup): string {
  const d = w.lastDecision;
  if (w.waitsForRunId) return t.next.waitsForRun;
  if (d?.action === Action.WAIT_FOR_RESET) return t.next.waitReset;
  if (d && d.ordinal > 0) return t.next.retry(d.ordinal, d.maxAttempts);
  return t.next.retryPlain;
}

function timed(w: Wakeup, text: string): NextAction {
  const deadline = toMs(w.dueAt);
  const receipt = w.lastDecision?.receipt;
  return {
    text,
    needsPerson: false,
    ...sends(w),
    ...(deadline === undefined ? {} : { deadline }),
    ...(receipt ? { receipt } : {}),
  };
}

// What helps where no remedy of the cause does, because a person forbade to go on.
const unparked: Record<number, string> = {
  [ParkReason.RECOVERY_OFF]: t.next.recoveryOff,
  [ParkReason.BUDGET_EXHAUSTED]: t.next.raiseLimit,
};

function parked(w: Wakeup): NextAction {
  const why = w.lastDecision?.parkReason || ParkReason.UNSPECIFIED;
  const next = w.dueAt ? timed(w, t.next.wake) : person(w);
  const notes = [why ? parkReason.text(why) : "", next.note].filter(Boolean).join(" ");
  return {
    ...next,
    text: (next.needsPerson && unparked[why]) || next.text,
    ...(notes ? { note: notes } : {}),
  };
}

// A stop may show a stated reset, and gets no countdown for it: nobody waits.
function person(w: Wakeup): NextAction {
  const receipt = w.lastDecision?.receipt;
  const reset = toMs(w.lastDecision?.statedResetAt);
  return {
    text: remedy.text(w.lastDecision?.remedy || Remedy.ASK_MAINTAINER),
    needsPerson: true,
    ...(reset === undefined ? {} : { note: t.next.statedReset(utcText(reset)) }),
    ...(reset !== undefined && receipt ? { receipt } : {}),
  };
}

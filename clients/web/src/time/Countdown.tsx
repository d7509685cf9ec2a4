import { useFrozen, useTick } from "../app/services";
import { messages as t } from "../i18n/messages";
import { countdownAt } from "./countdown";
import { agoText, durationText, untilText, utcText } from "./format";
import css from "./time.module.css";

/**
 * The time left to a deadline of the server. Sighted people see it tick;
 * assistive technology reads the instant, which does not change.
 */
export function Countdown({ deadline }: { deadline: number }) {
  const now = useTick(deadline);
  const frozen = useFrozen();
  return (
    <span role="timer" className={css.timer} title={utcText(deadline)}>
      <span aria-hidden="true" data-testid="tick">
        {frozen ? t.time.at(untilText(deadline, now)) : tickText(deadline, now)}
      </span>
      <span className="rc-hidden">{t.time.until(untilText(deadline, now))}</span>
    </span>
  );
}

function tickText(deadline: number, now: number): string {
  const c = countdownAt(deadline, now);
  if (c.phase === "due") return t.time.due;
  return t.time[c.phase === "counting" ? "in" : "overdue"](durationText(c.seconds));
}

/** How long ago something was, with the instant for those who point at it. */
export function Ago({ at }: { at: number }) {
  const now = useTick();
  return (
    <time dateTime={new Date(at).toISOString()} title={utcText(at)} className={css.ago}>
      {agoText(at, now)}
    </time>
  );
}

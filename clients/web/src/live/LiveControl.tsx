import { usePreference } from "../app/preference";
import { useLive, useServices } from "../app/services";
import { messages as t } from "../i18n/messages";
import css from "./live.module.css";

/** How fresh the page is, and the switch that stops all of its own activity. */
export function LiveControl() {
  const { phase } = useLive();
  const [on, set] = usePreference(useServices().liveWanted);
  return (
    <button
      type="button"
      role="switch"
      aria-checked={on}
      aria-label={`${t.live.title}, ${t.live[phase]}`}
      title={t.live.turn(on)}
      className={css.control}
      data-phase={phase}
      onClick={() => set(!on)}
    >
      <span className={css.dot} aria-hidden="true" />
      <span className={css.words}>
        <span className={css.title}>{t.live.turn(on)}</span>
        <span className={css.phase}>{t.live[phase]}</span>
      </span>
    </button>
  );
}

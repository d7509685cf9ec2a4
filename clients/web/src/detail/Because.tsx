import { readFact } from "../i18n/because";
import { messages as t } from "../i18n/messages";
import css from "./decision.module.css";

/** The steps that led to a decision, in the order in which they were taken. */
export function Because({ entries }: { entries: readonly string[] }) {
  if (entries.length === 0) return <p>{t.detail.decision.whyNone}</p>;
  return (
    <ol className={css.because}>
      {entries.map((entry, at) => {
        const fact = readFact(entry);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step may occur twice, its place tells it apart
          <li key={at} title={entry}>
            <span>{fact.label}</span>
            {fact.found && <strong>{fact.found}</strong>}
          </li>
        );
      })}
    </ol>
  );
}

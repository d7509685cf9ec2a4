import type { Wakeup } from "@gen/recovery_pb";
import { Button } from "@mantine/core";
import { messages as t } from "../i18n/messages";
import { changesBetween } from "../wakeup/changes";
import css from "./cancel.module.css";

/** After a conflict: what changed between what was on the screen and the present state. */
export function ChangedNote(props: { seen: Wakeup; now: Wakeup; onClose: () => void }) {
  const changes = changesBetween(props.seen, props.now);
  const words = t.detail.cancel;
  return (
    <div className={css.ask} role="alert">
      <strong>{words.conflictTitle}</strong>
      {changes.length > 0 ? (
        <>
          <p>{words.reread}</p>
          <ul className={css.changes}>
            {changes.map((c) => (
              <li key={c.what}>
                {c.what}: {t.detail.changed(c.from, c.to)}
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p>{words.unchanged}</p>
      )}
      <div className={css.buttons}>
        <Button variant="default" onClick={props.onClose}>
          {t.keys.close}
        </Button>
      </div>
    </div>
  );
}

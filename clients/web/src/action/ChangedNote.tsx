import type { Wakeup } from "@gen/recovery_pb";
import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { problemOf } from "../api/problem";
import { messages as t } from "../i18n/messages";
import { changesBetween } from "../wakeup/changes";
import css from "./action.module.css";

const words = t.act;

interface Props {
  seen: Wakeup;
  now: Wakeup;
  /** How the server refused; absent if the page noticed by itself. */
  error?: unknown;
  onClose: () => void;
  /** Where it goes on. */
  children?: ReactNode;
}

/** After a conflict: why, and what changed between what was on the screen and the present state. */
export function ChangedNote({ seen, now, error, onClose, children }: Props) {
  const changes = changesBetween(seen, now);
  const reason = error ? words.reasons[problemOf(error).reason] : undefined;
  return (
    <div className={css.ask} role="alert">
      <strong>{words.conflictTitle}</strong>
      {reason && <p>{reason}</p>}
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
      {children}
      <div className={css.answers}>
        <Button variant="default" onClick={onClose}>
          {t.keys.close}
        </Button>
      </div>
    </div>
  );
}

import { Button } from "@mantine/core";
import { type KeyboardEvent, type ReactNode, useId } from "react";
import type { Question } from "../i18n/enActions";
import css from "./action.module.css";

interface Props {
  question: Question;
  /** One more effect that depends on the state. */
  also?: string | undefined;
  /** What the pressed button says while it works; undefined while it waits for an answer. */
  pending: string | undefined;
  danger: boolean;
  onYes: () => void;
  onNo: () => void;
  children?: ReactNode;
}

/** One question in place, before something that cannot be taken back. */
export function Ask({ question, also, pending, danger, onYes, onNo, children }: Props) {
  const about = useId();
  const busy = pending !== undefined;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || busy) return;
    // Else the page takes it as a wish to leave.
    event.preventDefault();
    onNo();
  };
  return (
    <fieldset className={css.ask} aria-describedby={about} onKeyDown={onKeyDown}>
      <legend className="rc-hidden">{question.title}</legend>
      <strong aria-hidden="true">{question.title}</strong>
      <div id={about} className={css.effects}>
        {[...question.effects, ...(also ? [also] : [])].map((line) => (
          <p key={line}>{line}</p>
        ))}
      </div>
      {children}
      <div className={css.answers}>
        <Button
          onClick={onYes}
          disabled={busy}
          autoFocus
          className={danger ? css.danger : undefined}
          aria-describedby={about}
        >
          {pending ?? question.yes}
        </Button>
        <Button variant="default" onClick={onNo} disabled={busy}>
          {question.no}
        </Button>
      </div>
    </fieldset>
  );
}

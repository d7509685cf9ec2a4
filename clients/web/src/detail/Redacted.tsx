import { Fragment } from "react";
import { messages as t } from "../i18n/messages";
import css from "./evidence.module.css";
import { splitRedactions } from "./redaction";

/** Text in which what the server removed can be seen. */
export function Redacted({ text }: { text: string }) {
  return splitRedactions(text).map((part) =>
    part.redacted ? (
      <mark key={part.at} className={css.redacted} title={t.detail.evidence.redacted}>
        {part.text}
      </mark>
    ) : (
      <Fragment key={part.at}>{part.text}</Fragment>
    ),
  );
}

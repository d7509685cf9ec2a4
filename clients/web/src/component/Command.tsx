import { CopyButton } from "./CopyButton";
import css from "./panel.module.css";

/** A command to run elsewhere, with a button that copies it. */
export function Command({ text }: { text: string }) {
  return (
    <div className={css.command}>
      <code className={css.commandText}>{text}</code>
      <CopyButton text={text} what={text} />
    </div>
  );
}

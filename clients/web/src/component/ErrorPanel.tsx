import { Button } from "@mantine/core";
import { problemOf, problemText } from "../api/problem";
import { messages as t } from "../i18n/messages";
import { CopyButton } from "./CopyButton";
import css from "./panel.module.css";

/** Says in place that something failed, with what a maintainer needs to find it. */
export function ErrorPanel(props: { error: unknown; title: string; onRetry?: () => void }) {
  const problem = problemOf(props.error);
  const title = problem.unreachable ? t.state.unreachable : props.title;
  return (
    <section className={`${css.panel} ${css.error}`} role="alert">
      <h2>{title}</h2>
      <p className={css.message}>{problem.message}</p>
      <p className={css.fine}>
        <code>{problem.reason}</code>
        {problem.requestId && <> · {t.state.requestId(problem.requestId)}</>}
      </p>
      <div className={css.actions}>
        {props.onRetry && <Button onClick={props.onRetry}>{t.state.retry}</Button>}
        <CopyButton text={problemText(problem)} what={t.state.error} label={t.state.copyError} />
      </div>
    </section>
  );
}

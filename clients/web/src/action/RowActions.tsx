import { UserAction, type Wakeup } from "@gen/recovery_pb";
import { Button } from "@mantine/core";
import { type KeyboardEvent, useState } from "react";
import { ErrorPanel } from "../component/ErrorPanel";
import { messages as t } from "../i18n/messages";
import { userAction } from "../i18n/person";
import { agentName } from "../wakeup/agentName";
import { type Press, press } from "./act";
import css from "./action.module.css";
import { ChangedNote } from "./ChangedNote";
import { type Act, useTooOld } from "./useAct";

const words = t.act;

interface Props {
  wakeup: Wakeup;
  actions: readonly UserAction[];
  act: Act;
}

/** The two actions that need no more than a row: go on now, or end the wait. */
export function RowActions({ wakeup, actions, act }: Props) {
  const [asked, setAsked] = useState<Press | undefined>();
  const tooOld = useTooOld();
  const name = agentName(wakeup.profile);
  const busy = act.pending?.action;
  if (asked && busy === undefined && actions.includes(asked.action)) {
    const answer = (yes: boolean) => {
      setAsked(undefined);
      if (yes) act.run(asked);
    };
    return <RowAsk name={name} onAnswer={answer} />;
  }
  const button = (action: UserAction, label: string, onClick: () => void) =>
    (actions.includes(action) || action === busy) && (
      <Button
        key={action}
        size="compact-sm"
        h="2.25rem"
        variant="default"
        data-act={userAction.slug(action)}
        aria-label={words.about(userAction.text(action), name)}
        aria-disabled={busy !== undefined || undefined}
        disabled={tooOld}
        onClick={() => busy === undefined && onClick()}
      >
        {action === busy ? words.pending[action] : label}
      </Button>
    );
  return (
    <div className={css.row}>
      {button(UserAction.RETRY_NOW, userAction.text(UserAction.RETRY_NOW), () =>
        act.run(press(UserAction.RETRY_NOW, wakeup)),
      )}
      {busy !== UserAction.RETRY_NOW &&
        button(UserAction.CANCEL_WAIT, words.shortCancel, () =>
          setAsked(press(UserAction.CANCEL_WAIT, wakeup)),
        )}
    </div>
  );
}

function RowAsk({ name, onAnswer }: { name: string; onAnswer: (yes: boolean) => void }) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    onAnswer(false);
  };
  return (
    <fieldset
      className={css.rowAsk}
      aria-label={words.about(words.shortAsk, name)}
      onKeyDown={onKeyDown}
    >
      <span aria-hidden="true">{words.shortAsk}</span>
      <Button size="compact-sm" h="2.25rem" autoFocus onClick={() => onAnswer(true)}>
        {words.shortYes}
      </Button>
      <Button size="compact-sm" h="2.25rem" variant="default" onClick={() => onAnswer(false)}>
        {words.shortNo}
      </Button>
    </fieldset>
  );
}

/** What went wrong with a press in a row; undefined if nothing did. */
export function RowProblem({ wakeup, act }: { wakeup: Wakeup; act: Act }) {
  const { refused, failed } = act;
  if (refused) {
    return <ChangedNote seen={refused.seen} now={wakeup} error={act.error} onClose={act.clear} />;
  }
  if (!failed) return null;
  const title = words.failed[failed.action] ?? t.state.error;
  return (
    <div className={css.wide}>
      <ErrorPanel error={act.error} title={title} onRetry={() => act.run(failed)} />
    </div>
  );
}

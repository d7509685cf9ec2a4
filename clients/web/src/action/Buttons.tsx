import { UserAction, type WakeupStatus } from "@gen/recovery_pb";
import { Button } from "@mantine/core";
import { messages as t } from "../i18n/messages";
import { userAction } from "../i18n/person";
import { primaryOf } from "./act";
import css from "./action.module.css";

const words = t.act;

interface Props {
  actions: readonly UserAction[];
  status: WakeupStatus;
  /** The one that is being carried out. */
  pending: UserAction | undefined;
  /** The one that was pressed last: the focus comes back to it. */
  focus: UserAction | undefined;
  onPress: (action: UserAction) => void;
}

/** One button for each action that is valid now; the likely wish stands out. */
export function Buttons({ actions, status, pending, focus, onPress }: Props) {
  const primary = primaryOf(actions, status);
  if (actions.length === 0) return null;
  return (
    <div className={css.bar}>
      <fieldset className={css.buttons} aria-label={words.title}>
        {actions.map((action) => (
          <Button
            key={action}
            data-act={userAction.slug(action)}
            variant={action === primary ? "filled" : "default"}
            className={action === UserAction.STOP_RUN ? css.dangerText : undefined}
            // Not disabled while it works: that would throw the focus away.
            aria-disabled={pending !== undefined || undefined}
            data-busy={pending !== undefined || undefined}
            autoFocus={action === focus && pending === undefined}
            onClick={() => pending === undefined && onPress(action)}
          >
            {action === pending ? words.pending[action] : userAction.text(action)}
          </Button>
        ))}
      </fieldset>
      <Explanation actions={actions} primary={primary} />
    </div>
  );
}

function Explanation(props: { actions: readonly UserAction[]; primary: UserAction | undefined }) {
  const { actions } = props;
  if (actions.includes(UserAction.RESUME_SESSION) && !actions.includes(UserAction.CANCEL_WAIT))
    return <p className={css.fine}>{words.resumes}</p>;
  if (props.primary === UserAction.START_FRESH) return <p className={css.fine}>{words.noResume}</p>;
  return null;
}

import type { WakeupStatus } from "@gen/recovery_pb";
import { Icon, isIcon } from "../component/Icon";
import { status as statuses } from "../i18n/states";
import css from "./pill.module.css";

/** A status as icon, text and colour together. */
export function StatusPill({ status }: { status: WakeupStatus }) {
  const slug = statuses.slug(status);
  return (
    <span className={css.pill} data-status={slug}>
      <Icon name={isIcon(slug) ? slug : "unknown"} size={14} />
      {statuses.text(status)}
    </span>
  );
}

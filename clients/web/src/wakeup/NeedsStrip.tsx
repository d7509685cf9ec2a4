import { Attention } from "@gen/recovery_pb";
import { Link } from "@tanstack/react-router";
import { Icon, type IconName } from "../component/Icon";
import { messages as t } from "../i18n/messages";
import { type ListFilter, searchOf } from "./filter";
import css from "./needs.module.css";
import type { Needs, Recoveries } from "./useRecoveries";

/** How many, as "3" or "50+"; empty while it is not known. */
export function countText(needs: Needs | undefined): string {
  return needs ? t.list.count(needs.recoveries.length, needs.more) : "";
}

/** What needs a person, what waits, and everything: each with its number. */
export function NeedsStrip(props: { filter: ListFilter; recoveries: Recoveries }) {
  const { filter, recoveries } = props;
  const tabs: [Attention, string, IconName | undefined, Needs | undefined][] = [
    [Attention.PERSON, t.list.needs.person, "person", recoveries.person],
    [Attention.DEADLINE, t.list.needs.deadline, "scheduled_retry", recoveries.deadline],
    [Attention.UNSPECIFIED, t.list.needs.all, undefined, undefined],
  ];
  return (
    <nav className={css.strip} aria-label={t.list.needsLabel}>
      {tabs.map(([needs, name, icon, found]) => (
        <Link
          key={needs}
          to="/wakeups"
          search={searchOf({ needs })}
          className={css.tab}
          activeOptions={{ exact: true, includeSearch: true }}
          aria-current={filter.needs === needs ? "page" : undefined}
          data-needs={needs === Attention.PERSON ? "person" : undefined}
          data-some={(found?.recoveries.length ?? 0) > 0 || undefined}
        >
          {icon && <Icon name={icon} size={16} />}
          <span>{name}</span>
          {icon && <span className={css.count}>{countText(found) || "–"}</span>}
        </Link>
      ))}
    </nav>
  );
}

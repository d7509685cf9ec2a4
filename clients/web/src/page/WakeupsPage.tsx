import { useNavigate, useSearch } from "@tanstack/react-router";
import { moveFocus, pressAction, useShortcuts } from "../app/shortcuts";
import { messages as t } from "../i18n/messages";
import { FilterBar } from "../wakeup/FilterBar";
import { filterOf, type ListFilter, searchOf } from "../wakeup/filter";
import { countText, NeedsStrip } from "../wakeup/NeedsStrip";
import { useRecoveries } from "../wakeup/useRecoveries";
import { AllWakeups } from "./AllWakeups";
import { NeedingWakeups } from "./NeedingWakeups";
import css from "./wakeups.module.css";

/** The list of wakeups, live: all of them, or those that need something. */
export function WakeupsPage() {
  const filter = filterOf(useSearch({ from: "/wakeups" }));
  const navigate = useNavigate();
  const show = (next: ListFilter) => void navigate({ to: "/wakeups", search: searchOf(next) });
  const recoveries = useRecoveries();
  useShortcuts({
    j: () => moveFocus("[data-row]", 1),
    k: () => moveFocus("[data-row]", -1),
    r: () => pressAction(document.activeElement?.closest("tr"), "retry_now"),
    "/": () => document.querySelector<HTMLElement>("[data-filter]")?.focus(),
  });
  const needsYou = recoveries.person?.recoveries.length
    ? t.list.countedTitle(countText(recoveries.person), t.list.title)
    : t.list.title;
  const props = { filter, recoveries, show };
  return (
    <div className={css.page}>
      <title>{t.pageTitle(needsYou)}</title>
      <h1 className={css.title}>{t.list.title}</h1>
      <NeedsStrip filter={filter} recoveries={recoveries} />
      {filter.needs ? (
        <NeedingWakeups {...props} />
      ) : (
        <>
          <FilterBar filter={filter} onChange={show} />
          <AllWakeups {...props} />
        </>
      )}
    </div>
  );
}

import { Button } from "@mantine/core";
import { Command } from "../component/Command";
import { Panel } from "../component/Panel";
import { messages as t } from "../i18n/messages";
import { isFiltered, type ListFilter, noFilter } from "../wakeup/filter";

/** Commands that put something into an empty list. */
export const STARTERS = ["agentctl demo", 'agentctl run -- claude -p "fix the failing test"'];

/** A list without rows: nothing has run yet, or nothing fits the filters. */
export function NothingHere(props: { filter: ListFilter; show: (filter: ListFilter) => void }) {
  if (isFiltered(props.filter) || props.filter.pageToken) {
    return (
      <Panel title={t.list.noMatchTitle}>
        <div>
          <Button onClick={() => props.show(noFilter)}>{t.list.clear}</Button>
        </div>
      </Panel>
    );
  }
  return (
    <Panel title={t.list.emptyTitle}>
      <p>{t.list.emptyText}</p>
      {STARTERS.map((text) => (
        <Command key={text} text={text} />
      ))}
    </Panel>
  );
}

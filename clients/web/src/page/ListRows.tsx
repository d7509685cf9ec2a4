import type { Wakeup } from "@gen/recovery_pb";
import { Button, Skeleton } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import type { ReactNode } from "react";
import { useServices } from "../app/services";
import { messages as t } from "../i18n/messages";
import { type ListFilter, searchOf } from "../wakeup/filter";
import { useHeldList } from "../wakeup/useHeldList";
import type { Recoveries } from "../wakeup/useRecoveries";
import { WakeupCards, WakeupTable } from "../wakeup/WakeupRows";
import css from "./wakeups.module.css";

/** What every view of the list is given. */
export interface ListViewProps {
  filter: ListFilter;
  recoveries: Recoveries;
  show: (filter: ListFilter) => void;
}

interface Props {
  wakeups: Wakeup[];
  nextPageToken: string;
  /** These are the rows of the last filter, until those of the present one are there. */
  busy: boolean;
  filter: ListFilter;
  actions: Recoveries["actions"];
  show: (filter: ListFilter) => void;
  /** Stands in for no rows. */
  empty: ReactNode;
}

/** One page of rows that keep still under the pointer, and the way to the others. */
export function ListRows(props: Props) {
  const { filter, show } = props;
  const phone = useMediaQuery("(max-width: 48em)", false, { getInitialValueInEffect: false });
  // While another filter loads, the old rows stand in: that step is no change.
  const key = `${JSON.stringify(searchOf(filter))}${props.busy ? " loading" : ""}`;
  const held = useHeldList(props.wakeups, key, useServices().announcer);
  if (held.rows.length === 0) return props.empty;
  const Rows = phone ? WakeupCards : WakeupTable;
  return (
    <div {...held.watch} aria-busy={props.busy}>
      <div className={css.news}>
        {held.newCount > 0 && <Button onClick={held.release}>{t.list.news(held.newCount)}</Button>}
      </div>
      <Rows rows={held.rows} actions={props.actions} />
      <div className={css.pages}>
        {filter.pageToken && (
          <Button variant="default" onClick={() => show({ ...filter, pageToken: "" })}>
            {t.list.firstPage}
          </Button>
        )}
        {props.nextPageToken && (
          <Button
            variant="default"
            onClick={() => show({ ...filter, pageToken: props.nextPageToken })}
          >
            {t.list.nextPage}
          </Button>
        )}
      </div>
    </div>
  );
}

/** The rows, before anything is known of them. */
export function ListLoading() {
  return (
    <div className={css.loading} role="status" aria-label={t.state.loading}>
      {[1, 2, 3, 4, 5].map((n) => (
        <Skeleton key={n} className={css.bone} />
      ))}
    </div>
  );
}

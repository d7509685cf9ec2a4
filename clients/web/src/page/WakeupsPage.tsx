import { useQuery } from "@connectrpc/connect-query";
import { RecoveryService } from "@gen/recovery_service_pb";
import { Button, Skeleton } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useServices } from "../app/services";
import { moveFocus, useShortcuts } from "../app/shortcuts";
import { ErrorPanel } from "../component/ErrorPanel";
import { messages as t } from "../i18n/messages";
import { FilterBar } from "../wakeup/FilterBar";
import { filterOf, type ListFilter, PAGE_SIZE, searchOf } from "../wakeup/filter";
import { useHeldList } from "../wakeup/useHeldList";
import { WakeupCards, WakeupTable } from "../wakeup/WakeupRows";
import { NothingHere } from "./NothingHere";
import css from "./wakeups.module.css";

/** The list of wakeups, live. */
export function WakeupsPage() {
  const filter = filterOf(useSearch({ from: "/wakeups" }));
  const navigate = useNavigate();
  const show = (next: ListFilter) => navigate({ to: "/wakeups", search: searchOf(next) });
  const list = useQuery(
    RecoveryService.method.listWakeups,
    {
      statuses: filter.statuses,
      code: filter.code,
      pageToken: filter.pageToken,
      pageSize: PAGE_SIZE,
    },
    { placeholderData: keepPreviousData },
  );
  useShortcuts({
    j: () => moveFocus("[data-row]", 1),
    k: () => moveFocus("[data-row]", -1),
    "/": () => document.querySelector<HTMLElement>("[data-filter]")?.focus(),
  });
  return (
    <div className={css.page}>
      <title>{t.pageTitle(t.list.title)}</title>
      <h1 className={css.title}>{t.list.title}</h1>
      <FilterBar filter={filter} onChange={show} />
      {list.isPending && <Loading />}
      {list.isError && (
        <ErrorPanel
          error={list.error}
          title={t.state.couldNotLoad(t.list.title.toLowerCase())}
          onRetry={() => list.refetch()}
        />
      )}
      {list.isSuccess && (
        <Wakeups answer={list.data} filter={filter} busy={list.isPlaceholderData} show={show} />
      )}
    </div>
  );
}

function Wakeups(props: {
  answer: { wakeups: Parameters<typeof useHeldList>[0]; nextPageToken: string };
  filter: ListFilter;
  busy: boolean;
  show: (filter: ListFilter) => void;
}) {
  const { answer, filter, show } = props;
  const phone = useMediaQuery("(max-width: 48em)", false, { getInitialValueInEffect: false });
  // While another filter loads, the old rows stand in: that step is no change.
  const key = `${JSON.stringify(searchOf(filter))}${props.busy ? " loading" : ""}`;
  const held = useHeldList(answer.wakeups, key, useServices().announcer);
  if (held.rows.length === 0) return <NothingHere filter={filter} show={show} />;
  const Rows = phone ? WakeupCards : WakeupTable;
  return (
    <div {...held.watch} aria-busy={props.busy}>
      <div className={css.news}>
        {held.newCount > 0 && <Button onClick={held.release}>{t.list.news(held.newCount)}</Button>}
      </div>
      <Rows rows={held.rows} />
      <div className={css.pages}>
        {filter.pageToken && (
          <Button variant="default" onClick={() => show({ ...filter, pageToken: "" })}>
            {t.list.firstPage}
          </Button>
        )}
        {answer.nextPageToken && (
          <Button
            variant="default"
            onClick={() => show({ ...filter, pageToken: answer.nextPageToken })}
          >
            {t.list.nextPage}
          </Button>
        )}
      </div>
    </div>
  );
}

function Loading() {
  return (
    <div className={css.loading} role="status" aria-label={t.state.loading}>
      {[1, 2, 3, 4, 5].map((n) => (
        <Skeleton key={n} className={css.bone} />
      ))}
    </div>
  );
}

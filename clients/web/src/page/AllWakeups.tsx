import { useQuery } from "@connectrpc/connect-query";
import { RecoveryService } from "@gen/recovery_service_pb";
import { keepPreviousData } from "@tanstack/react-query";
import { ErrorPanel } from "../component/ErrorPanel";
import { messages as t } from "../i18n/messages";
import { PAGE_SIZE } from "../wakeup/filter";
import { ListLoading, ListRows, type ListViewProps } from "./ListRows";
import { NothingHere } from "./NothingHere";

/** Every wakeup that fits the filters, newest first. */
export function AllWakeups({ filter, recoveries, show }: ListViewProps) {
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
  if (list.isPending) return <ListLoading />;
  if (list.isError) {
    const title = t.state.couldNotLoad(t.list.title.toLowerCase());
    return <ErrorPanel error={list.error} title={title} onRetry={() => void list.refetch()} />;
  }
  return (
    <ListRows
      wakeups={list.data.wakeups}
      nextPageToken={list.data.nextPageToken}
      busy={list.isPlaceholderData}
      filter={filter}
      actions={recoveries.actions}
      show={show}
      empty={<NothingHere filter={filter} show={show} />}
    />
  );
}

import type { Transport } from "@connectrpc/connect";
import {
  callUnaryMethod,
  createConnectQueryKey,
  useQuery,
  useTransport,
} from "@connectrpc/connect-query";
import { Attention, type Wakeup, WakeupStatus } from "@gen/recovery_pb";
import { RecoveryService } from "@gen/recovery_service_pb";
import { useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useRef } from "react";
import { ErrorPanel } from "../component/ErrorPanel";
import { Icon } from "../component/Icon";
import { Panel } from "../component/Panel";
import { messages as t } from "../i18n/messages";
import { PAGE_SIZE, searchOf } from "../wakeup/filter";
import { type Recoveries, useNeeds } from "../wakeup/useRecoveries";
import { ListLoading, ListRows, type ListViewProps } from "./ListRows";
import css from "./wakeups.module.css";

/** The newest wakeup of each session that needs a person, or that waits; the latest change first. */
export function NeedingWakeups({ filter, recoveries, show }: ListViewProps) {
  const transport = useTransport();
  const found = useNeeds(filter.needs, filter.pageToken);
  const ids = found.data?.recoveries.map((r) => r.wakeupId) ?? [];
  // A recovery does not say which agent it is: its wakeup does, and is read once.
  const wakeups = useQueries({
    queries: ids.map((wakeupId) => wakeupQuery(transport, wakeupId)),
  });
  const ready = found.data !== undefined && wakeups.every((w) => !w.isPending);
  const rows = useComplete(ready, wakeups, JSON.stringify(searchOf(filter)));
  const failed = found.error ?? wakeups.find((w) => w.isError && !w.data)?.error;
  if (failed) {
    const title = t.state.couldNotLoad(t.list.title.toLowerCase());
    const retry = () => void Promise.all([found.refetch(), ...wakeups.map((w) => w.refetch())]);
    return <ErrorPanel error={failed} title={title} onRetry={retry} />;
  }
  if (!found.data || !rows) return <ListLoading />;
  return (
    <ListRows
      wakeups={rows}
      nextPageToken={found.data.nextPageToken}
      busy={false}
      filter={filter}
      actions={recoveries.actions}
      show={show}
      empty={<Calm needs={filter.needs} recoveries={recoveries} />}
    />
  );
}

/** The last rows that were all there: half of them would look like changes, and be read out. */
function useComplete(ready: boolean, wakeups: { data?: Found }[], key: string) {
  const kept = useRef<{ key: string; rows: Wakeup[] } | undefined>(undefined);
  if (ready) {
    const rows = wakeups.map((w) => w.data?.wakeup).filter((w) => w !== undefined);
    kept.current = { key, rows };
  }
  return kept.current?.key === key ? kept.current.rows : undefined;
}

type Found = { wakeup?: Wakeup | undefined } | undefined;

// The same key as the page of that wakeup has, so that both share what was read.
function wakeupQuery(transport: Transport, wakeupId: string) {
  const schema = RecoveryService.method.getWakeup;
  const input = { wakeupId };
  return {
    queryKey: createConnectQueryKey({ schema, input, transport, cardinality: "finite" }),
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      callUnaryMethod(transport, schema, input, { signal }),
    structuralSharing: false,
  };
}

const atWork = { statuses: [WakeupStatus.RUNNING], pageSize: PAGE_SIZE };

/** Nothing of the kind: which is good news. */
function Calm({ needs, recoveries }: { needs: Attention; recoveries: Recoveries }) {
  const person = needs === Attention.PERSON;
  const waiting = recoveries.deadline?.recoveries.length ?? 0;
  const running = useQuery(RecoveryService.method.listWakeups, atWork).data;
  const busy = running && t.list.atWork(running.wakeups.length, running.nextPageToken !== "");
  return (
    <Panel title={person ? t.list.calmPersonTitle : t.list.calmWaitingTitle}>
      <p className={css.calm}>
        <Icon name="completed" size={20} />
        {person ? t.list.calmPersonText(waiting) : t.list.calmWaitingText} {busy}
      </p>
      <p>
        {person && waiting > 0 ? (
          <Link to="/wakeups" search={searchOf({ needs: Attention.DEADLINE })}>
            {t.list.toWaiting}
          </Link>
        ) : (
          <Link to="/wakeups">{t.state.toWakeups}</Link>
        )}
      </p>
    </Panel>
  );
}

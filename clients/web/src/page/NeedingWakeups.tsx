import { useQuery } from "@connectrpc/connect-query";
import { Attention, WakeupStatus } from "@gen/recovery_pb";
import { RecoveryService } from "@gen/recovery_service_pb";
import { Link } from "@tanstack/react-router";
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
  const found = useNeeds(filter.needs, filter.pageToken);
  if (found.isPending) return <ListLoading />;
  if (found.isError) {
    const title = t.state.couldNotLoad(t.list.title.toLowerCase());
    return <ErrorPanel error={found.error} title={title} onRetry={() => void found.refetch()} />;
  }
  return (
    <ListRows
      wakeups={found.data.recoveries.map((r) => r.wakeup).filter((w) => w !== undefined)}
      nextPageToken={found.data.nextPageToken}
      busy={false}
      filter={filter}
      actions={recoveries.actions}
      show={show}
      empty={<Calm needs={filter.needs} recoveries={recoveries} />}
    />
  );
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

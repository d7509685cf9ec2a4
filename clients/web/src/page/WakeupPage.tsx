import { useQuery } from "@connectrpc/connect-query";
import type { Run, Wakeup } from "@gen/recovery_pb";
import { RecoveryService } from "@gen/recovery_service_pb";
import { Skeleton } from "@mantine/core";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { stoppingSince } from "../action/Stopping";
import { problemOf } from "../api/problem";
import { useServices } from "../app/services";
import { pressAction, useShortcuts } from "../app/shortcuts";
import { ErrorPanel } from "../component/ErrorPanel";
import { Icon } from "../component/Icon";
import { Panel } from "../component/Panel";
import { DetailTabs } from "../detail/DetailTabs";
import { Summary } from "../detail/Summary";
import { messages as t } from "../i18n/messages";
import { status } from "../i18n/states";
import { agentName } from "../wakeup/agentName";
import { announcementOf } from "../wakeup/changes";
import { ToWakeups } from "./FaultPages";
import css from "./wakeup.module.css";

const method = RecoveryService.method;

/** One wakeup: what happens next, and how it came to that. */
export function WakeupPage() {
  const { wakeupId } = useParams({ from: "/wakeups/$wakeupId" });
  const navigate = useNavigate();
  const leave = () => void navigate({ to: "/wakeups" });
  useShortcuts({ Escape: leave, r: () => pressAction(document, "retry_now") });
  return (
    <div className={css.page}>
      <Link to="/wakeups" className={css.back}>
        <Icon name="back" /> {t.detail.back}
      </Link>
      <Content key={wakeupId} wakeupId={wakeupId} />
    </div>
  );
}

function Content({ wakeupId }: { wakeupId: string }) {
  const wakeup = useQuery(method.getWakeup, { wakeupId });
  const runs = useQuery(method.listRuns, { wakeupId, pageSize: 1000 });
  const failed = wakeup.error ?? runs.error;
  const current = wakeup.data?.wakeup;
  useAnnounced(current, runs.data?.runs);
  if (failed) {
    if (problemOf(failed).missing) return <Missing />;
    const retry = () => Promise.all([wakeup.refetch(), runs.refetch()]);
    const title = t.state.couldNotLoad(t.detail.facts.wakeup.toLowerCase());
    return <ErrorPanel error={failed} title={title} onRetry={retry} />;
  }
  if (wakeup.isPending || !runs.data) return <Loading />;
  if (!current) return <Missing />;
  const ordered = [...runs.data.runs].sort((a, b) => a.ordinal - b.ordinal);
  return (
    <>
      <title>{t.pageTitle(status.text(current.status), agentName(current.profile))}</title>
      <Summary wakeup={current} runs={ordered} />
      <DetailTabs wakeup={current} runs={ordered} />
    </>
  );
}

/** Speaks once for each change of state: of the wakeup, or of a run that is asked to end. */
function useAnnounced(wakeup: Wakeup | undefined, runs: readonly Run[] | undefined) {
  const { announcer } = useServices();
  const before = useRef<Wakeup | undefined>(undefined);
  useEffect(() => {
    if (!wakeup) return;
    if (before.current) announcer.say(announcementOf([before.current], [wakeup]));
    before.current = wakeup;
  }, [wakeup, announcer]);
  const stopping = wakeup && runs ? stoppingSince(wakeup, runs) !== undefined : undefined;
  const was = useRef<boolean | undefined>(undefined);
  const name = agentName(wakeup?.profile);
  useEffect(() => {
    if (was.current === false && stopping) announcer.say(t.act.saysStopping(name));
    was.current = stopping;
  }, [stopping, name, announcer]);
}

function Missing() {
  return (
    <Panel title={t.state.noWakeupTitle} level={1}>
      <p>{t.state.noWakeupText}</p>
      <ToWakeups />
    </Panel>
  );
}

function Loading() {
  return (
    <div className={css.page} role="status" aria-label={t.state.loading}>
      <Skeleton height="9rem" />
      <Skeleton height="20rem" />
    </div>
  );
}

import { useQuery } from "@connectrpc/connect-query";
import type { EvidenceEnvelope } from "@gen/common_pb";
import type { Run, Wakeup } from "@gen/recovery_pb";
import { RecoveryService } from "@gen/recovery_service_pb";
import { Skeleton } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { ErrorPanel } from "../component/ErrorPanel";
import { Select } from "../component/Select";
import { phase } from "../i18n/causes";
import { messages as t } from "../i18n/messages";
import { toMs, utcText } from "../time/format";
import css from "./evidence.module.css";
import { Redacted } from "./Redacted";
import { type SignalView, viewSignal } from "./signalView";

const words = t.detail.evidence;

/** What one failed run left behind, in its order. */
export function EvidenceTab({ wakeup, runs }: { wakeup: Wakeup; runs: readonly Run[] }) {
  const { run: wanted } = useSearch({ from: "/wakeups/$wakeupId" });
  const navigate = useNavigate({ from: "/wakeups/$wakeupId" });
  const failed = runs.filter((r) => r.classification || r.evidence);
  const chosen = failed.find((r) => String(r.ordinal) === wanted) ?? failed.at(-1);
  if (!chosen) return <p>{words.none}</p>;
  return (
    <div className={css.evidence}>
      {failed.length > 1 && (
        <Select
          className={css.pick}
          label={t.detail.attempts.run}
          value={String(chosen.ordinal)}
          data={failed.map((r) => ({
            value: String(r.ordinal),
            label: t.detail.run(r.ordinal),
          }))}
          onChange={(e) => {
            const run = e.currentTarget.value;
            void navigate({ search: (s) => ({ ...s, run }), replace: true, resetScroll: false });
          }}
        />
      )}
      <OfRun key={chosen.runId} runId={chosen.runId} />
      {wakeup.errorMessage && (
        <details className={css.signal}>
          <summary className={css.printed}>{words.printed}</summary>
          <pre className={css.body}>
            <Redacted text={wakeup.errorMessage} />
          </pre>
        </details>
      )}
    </div>
  );
}

function OfRun({ runId }: { runId: string }) {
  const run = useQuery(RecoveryService.method.getRun, { runId });
  if (run.isPending) return <Skeleton height="10rem" aria-label={t.state.loading} role="status" />;
  if (run.isError) {
    const title = t.state.couldNotLoad(t.detail.tabs.evidence.toLowerCase());
    return <ErrorPanel error={run.error} title={title} onRetry={() => run.refetch()} />;
  }
  const envelope = run.data.run?.evidence;
  return envelope ? <Envelope envelope={envelope} /> : <p>{words.none}</p>;
}

function Envelope({ envelope }: { envelope: EvidenceEnvelope }) {
  const observed = toMs(envelope.observedAt);
  const facts = [
    [envelope.agentKind, envelope.agentVersion].filter(Boolean).join(" "),
    phase.text(envelope.phase),
    observed === undefined ? "" : `${words.observed} ${utcText(observed)}`,
    envelope.hostZone && `${words.zone}: ${envelope.hostZone}`,
    envelope.droppedSignals > 0 && words.dropped(envelope.droppedSignals),
  ];
  return (
    <>
      <p className={css.fine}>{facts.filter(Boolean).join(" · ")}</p>
      <ol className={css.signals} aria-label={words.signals}>
        {envelope.signals.map((signal, at) => (
          // Signals have no id of their own, and their order never changes.
          // biome-ignore lint/suspicious/noArrayIndexKey: the order is the identity
          <SignalItem key={at} view={viewSignal(signal)} />
        ))}
      </ol>
    </>
  );
}

function SignalItem({ view }: { view: SignalView }) {
  return (
    <li className={css.signal}>
      <p className={css.head}>
        <strong>{view.channel}</strong>
        {view.head && <code>{view.head}</code>}
        {view.notes.map((note) => (
          <span key={note} className={css.note}>
            {note}
          </span>
        ))}
      </p>
      <pre className={css.body}>
        {view.body ? <Redacted text={view.body} /> : <span>{words.empty}</span>}
      </pre>
    </li>
  );
}

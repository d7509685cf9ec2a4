import { useQuery } from "@connectrpc/connect-query";
import { RecoveryService } from "@gen/recovery_service_pb";
import { Link } from "@tanstack/react-router";
import { messages as t } from "../i18n/messages";
import { agentName } from "../wakeup/agentName";
import css from "./summary.module.css";

const words = t.act;

/** Names the run that owns the retries which this wakeup waits for, and leads there. */
export function WaitsFor({ runId }: { runId: string }) {
  const found = useQuery(RecoveryService.method.getRun, { runId });
  const run = found.data?.run;
  return (
    <div className={css.waits}>
      <p>
        {words.waitsFor}:{" "}
        {run ? (
          <Link
            to="/wakeups/$wakeupId"
            params={{ wakeupId: run.wakeupId }}
            search={{ tab: "attempts", run: runId }}
          >
            {words.waitsForLink(agentName(run.profile), t.chain.run(run.ordinal))}
          </Link>
        ) : (
          <code>{runId}</code>
        )}
      </p>
      <p className={css.fine}>{words.waitsForNote}</p>
    </div>
  );
}

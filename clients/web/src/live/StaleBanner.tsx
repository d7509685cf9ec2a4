import { Button } from "@mantine/core";
import { useLive, useServices } from "../app/services";
import { messages as t } from "../i18n/messages";
import { untilText } from "../time/format";
import css from "./live.module.css";

/** Says that what is on the screen may be old, and since when. */
export function StaleBanner() {
  const { phase, lastHeard } = useLive();
  const { clock } = useServices();
  const refresh = useRefresh();
  if (phase !== "stale" && phase !== "off") return null;
  const now = clock.now();
  const asOf = untilText(lastHeard ?? now, now);
  return (
    <div className={css.banner} data-phase={phase}>
      <span role="status">{phase === "stale" ? t.live.asOf(asOf) : t.live.offNote(asOf)}</span>
      <Button variant="default" onClick={refresh}>
        {t.live.refresh}
      </Button>
    </div>
  );
}

/** Reads everything on the screen again; only then is it as of now. */
export function useRefresh(): () => Promise<void> {
  const { live, query } = useServices();
  return async () => {
    try {
      await query.refetchQueries({ type: "active" }, { throwOnError: true });
      live.refreshed();
    } catch {
      // The page that could not be read again says so itself.
    }
  };
}

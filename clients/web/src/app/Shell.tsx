import { Outlet, useLocation } from "@tanstack/react-router";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { messages as t } from "../i18n/messages";
import { StaleBanner } from "../live/StaleBanner";
import { SignedOutPage } from "../page/FaultPages";
import { Header } from "./Header";
import { HelpDialog } from "./HelpDialog";
import { usePreference } from "./preference";
import { useFrozen, useServices } from "./services";
import css from "./shell.module.css";
import { useShortcuts } from "./shortcuts";

/** What every page stands in: header, freshness, content, and the one live region. */
export function Shell() {
  const { gate } = useServices();
  const isLogin = useLocation({ select: (l) => l.pathname.endsWith("/login") });
  const signedOut = useSyncExternalStore(gate.subscribe, gate.read) && !isLogin;
  const [help, setHelp] = useState(false);
  useFocusOnArrival();
  useShortcuts({ "?": () => setHelp(true) });
  useFollowing(!signedOut && !isLogin);
  return (
    <>
      <a href="#main" className={css.skip}>
        {t.shell.skip}
      </a>
      <Header onHelp={() => setHelp(true)} bare={signedOut || isLogin} />
      {!signedOut && !isLogin && <StaleBanner />}
      <main id="main" tabIndex={-1} className={css.main}>
        {signedOut ? <SignedOutPage /> : <Outlet />}
      </main>
      <LiveRegion />
      <HelpDialog opened={help} onClose={() => setHelp(false)} />
    </>
  );
}

/** A followed link leaves the page with its own focus gone: it goes to the new content. */
function useFocusOnArrival() {
  const pathname = useLocation({ select: (l) => l.pathname });
  const arrived = useRef(pathname);
  useEffect(() => {
    if (arrived.current === pathname) return;
    arrived.current = pathname;
    const lost = document.activeElement === document.body || document.activeElement === null;
    if (lost) document.getElementById("main")?.focus({ preventScroll: true });
  }, [pathname]);
}

/** Follows the server while somebody is logged in and wants it; numbers stand still otherwise. */
function useFollowing(allowed: boolean) {
  const { live, liveWanted, ticker } = useServices();
  const [wanted] = usePreference(liveWanted);
  const frozen = useFrozen();
  useEffect(() => {
    if (!allowed || !wanted) return;
    live.start();
    return () => live.stop();
  }, [live, allowed, wanted]);
  useEffect(() => ticker.freeze(frozen), [ticker, frozen]);
}

function LiveRegion() {
  const { announcer } = useServices();
  const text = useSyncExternalStore(announcer.subscribe, announcer.read);
  return (
    <div role="status" aria-live="polite" className="rc-hidden" data-testid="announcer">
      {text}
    </div>
  );
}

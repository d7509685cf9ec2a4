import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { RecoveryService } from "@gen/recovery_service_pb";
import { QueryClient } from "@tanstack/react-query";
import { createContext, useCallback, useContext, useSyncExternalStore } from "react";
import { Gate } from "../api/gate";
import { Invalidator } from "../live/invalidate";
import { type SharedBrowser, shareWatch, thisBrowser, type Watch } from "../live/share";
import { type LiveState, LiveStream } from "../live/stream";
import { ServerClock } from "../time/clock";
import { Ticker } from "../time/ticker";
import { Announcer } from "./announcer";
import { Preference } from "./preference";

/** Everything that lives as long as the page. */
export interface Services {
  /** The server's address without a trailing slash. */
  base: string;
  clock: ServerClock;
  ticker: Ticker;
  gate: Gate;
  live: LiveStream;
  query: QueryClient;
  transport: Transport;
  announcer: Announcer;
  /** Whether the page follows the server by itself. */
  liveWanted: Preference;
  /** Whether single keys are shortcuts. */
  keysWanted: Preference;
}

/** Builds the services around a way to make the transport. */
export function createServices(
  base: string,
  connect: (clock: ServerClock, gate: Gate) => Transport,
  clock = new ServerClock(),
  browser = thisBrowser(),
): Services {
  const gate = new Gate();
  const transport = connect(clock, gate);
  const query = createQueryClient();
  return {
    base,
    clock,
    gate,
    transport,
    query,
    ticker: new Ticker(() => clock.now()),
    live: createLive(transport, query, clock, gate, browser),
    announcer: new Announcer(),
    liveWanted: new Preference("recourse.live"),
    keysWanted: new Preference("recourse.keys"),
  };
}

function createLive(
  transport: Transport,
  query: QueryClient,
  clock: ServerClock,
  gate: Gate,
  browser: SharedBrowser | undefined,
): LiveStream {
  const client = createClient(RecoveryService, transport);
  const invalidator = new Invalidator(query);
  // A refusal may come with the stream's end, where no interceptor sees it.
  const watch: Watch = async function* (cursor, signal) {
    try {
      yield* client.watchEvents({ cursor }, { signal });
    } catch (err) {
      if (isRefusal(err)) gate.close();
      throw err;
    }
  };
  return new LiveStream({
    watch: shareWatch(watch, browser),
    now: () => clock.now(),
    random: Math.random,
    setTimeout: (run, ms) => window.setTimeout(run, ms),
    clearTimeout: (id) => window.clearTimeout(id as number),
    onEvent: (event) => invalidator.take(event),
    onGap: () => invalidator.all(),
    isFinal: isRefusal,
    isExpired: (err) => ConnectError.from(err).code === Code.OutOfRange,
  });
}

function isRefusal(err: unknown): boolean {
  return ConnectError.from(err).code === Code.Unauthenticated;
}

// Data are read once and again when an event makes them old: no polling, no
// refetch on focus, so that "Live updates Off" means that nothing moves.
function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        networkMode: "always",
        retry: (count, err) => count < 2 && ConnectError.from(err).code === Code.Unavailable,
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
}

const Context = createContext<Services | undefined>(undefined);

/** Gives the services to the components below. */
export const ServicesProvider = Context.Provider;

/** The services of this page. */
export function useServices(): Services {
  const services = useContext(Context);
  if (!services) throw new Error("no services above this component");
  return services;
}

/** The state of the stream. */
export function useLive(): LiveState {
  const { live } = useServices();
  return useSyncExternalStore(live.subscribe, live.read);
}

/** Whether what is shown may be old, so that nothing may count on it. */
export function useFrozen(): boolean {
  const { phase } = useLive();
  return phase === "stale" || phase === "off";
}

/** The server's time at the last tick, in milliseconds; deadlineMs sets the pace. */
export function useTick(deadlineMs?: number): number {
  const { ticker } = useServices();
  const subscribe = useCallback(
    (run: () => void) => ticker.subscribe(run, deadlineMs),
    [ticker, deadlineMs],
  );
  return useSyncExternalStore(subscribe, ticker.read);
}

import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { type WatchEventsResponse, WatchEventsResponseSchema } from "@gen/recovery_service_pb";
import { Mailbox } from "./mailbox";

/** Opens the stream of events after a cursor. */
export type Watch = (cursor: string, signal: AbortSignal) => AsyncIterable<WatchEventsResponse>;

/** How the tabs of one browser talk; a subset of BroadcastChannel. */
export interface Channel {
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage(data: unknown): void;
  close(): void;
}

/** What sharing needs of the browser. */
export interface SharedBrowser {
  locks: Pick<LockManager, "request">;
  channel(): Channel;
}

const LOCK = "recourse.live";
const HELLO = "hello";

/** The browser's own means, where it has them: plain HTTP from another machine has no locks. */
export function thisBrowser(): SharedBrowser | undefined {
  if (!("locks" in navigator) || typeof BroadcastChannel === "undefined") return undefined;
  return { locks: navigator.locks, channel: () => new BroadcastChannel(LOCK) };
}

/**
 * Makes the tabs of one browser share one stream, since HTTP/1.1 allows a
 * browser six connections to a server: the tab that holds the lock reads the
 * server and repeats each message to the others; when it goes, the next one
 * goes on from where it had come to.
 */
export function shareWatch(watch: Watch, browser: SharedBrowser | undefined): Watch {
  if (!browser) return watch;
  return async function* shared(cursor, signal) {
    const box = new Mailbox<Uint8Array | "lead">();
    const channel = browser.channel();
    channel.onmessage = ({ data }) => {
      if (data instanceof Uint8Array) box.put(data);
    };
    const leave = lead(browser.locks, () => box.put("lead"));
    const end = () => box.close();
    signal.addEventListener("abort", end);
    channel.postMessage(HELLO);
    try {
      const reached = yield* follow(box, cursor);
      if (signal.aborted) return;
      yield* repeat(watch(reached, signal), channel, reached);
    } finally {
      signal.removeEventListener("abort", end);
      leave();
      channel.close();
    }
  };
}

/** Passes on what the leading tab repeats, until this one leads; returns the cursor reached. */
async function* follow(box: Mailbox<Uint8Array | "lead">, cursor: string) {
  let reached = cursor;
  for (;;) {
    const next = await box.take();
    if (next === undefined || next === "lead") return reached;
    const message = fromBinary(WatchEventsResponseSchema, next);
    reached = message.message.value?.cursor || reached;
    yield message;
  }
}

/** Reads the server, and repeats each message to the other tabs. */
async function* repeat(
  stream: AsyncIterable<WatchEventsResponse>,
  channel: Channel,
  cursor: string,
) {
  let reached = cursor;
  let heard = false;
  // A tab that has just opened need not wait for the next sign of life.
  channel.onmessage = ({ data }) => {
    if (data === HELLO && heard) channel.postMessage(signOfLife(reached));
  };
  for await (const message of stream) {
    heard = true;
    reached = message.message.value?.cursor || reached;
    channel.postMessage(toBinary(WatchEventsResponseSchema, message));
    yield message;
  }
}

function signOfLife(cursor: string): Uint8Array {
  const message = create(WatchEventsResponseSchema, {
    message: { case: "heartbeat", value: { cursor } },
  });
  return toBinary(WatchEventsResponseSchema, message);
}

/** Waits for the lock and keeps it until the returned function is called. */
function lead(locks: SharedBrowser["locks"], onHeld: () => void): () => void {
  const waiting = new AbortController();
  let release = () => waiting.abort();
  locks
    .request(LOCK, { signal: waiting.signal }, () => {
      onHeld();
      return new Promise<void>((resolve) => {
        release = resolve;
      });
    })
    // Given up before it was held: that is how leaving ends the wait.
    .catch(() => {});
  return () => release();
}

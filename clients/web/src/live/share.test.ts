import { create } from "@bufbuild/protobuf";
import { type WatchEventsResponse, WatchEventsResponseSchema } from "@gen/recovery_service_pb";
import { expect, test } from "vitest";
import { Mailbox } from "./mailbox";
import { type Channel, type SharedBrowser, shareWatch } from "./share";

const event = (cursor: string) =>
  create(WatchEventsResponseSchema, { message: { case: "event", value: { cursor, type: "t" } } });

/** A browser of several tabs, and a server that counts its streams. */
function setup() {
  const channels = new Set<Channel>();
  const queue: (() => Promise<void>)[] = [];
  let held = false;
  const next = async () => {
    const run = held ? undefined : queue.shift();
    if (!run) return;
    held = true;
    await run();
    held = false;
    void next();
  };
  const locks = {
    request: (_: string, options: { signal: AbortSignal }, hold: () => Promise<void>) =>
      new Promise<void>((resolve, reject) => {
        const run = () => hold().then(resolve);
        options.signal.addEventListener("abort", () => {
          const at = queue.indexOf(run);
          if (at >= 0) queue.splice(at, 1);
          reject(new Error("aborted"));
        });
        queue.push(run);
        void next();
      }),
  };
  const channel = (): Channel => {
    const mine: Channel = {
      onmessage: null,
      postMessage(data) {
        for (const other of channels) {
          if (other !== mine) other.onmessage?.({ data } as MessageEvent);
        }
      },
      close: () => void channels.delete(mine),
    };
    channels.add(mine);
    return mine;
  };
  const streams: { cursor: string; box: Mailbox<WatchEventsResponse> }[] = [];
  const watch = shareWatch(
    async function* (cursor, signal) {
      const box = new Mailbox<WatchEventsResponse>();
      streams.push({ cursor, box });
      signal.addEventListener("abort", () => box.close());
      for (let m = await box.take(); m; m = await box.take()) yield m;
      if (!signal.aborted) throw new Error("broken");
    },
    { locks: locks as unknown as SharedBrowser["locks"], channel },
  );
  const tab = (cursor = "") => {
    const stop = new AbortController();
    const seen: string[] = [];
    const done = (async () => {
      for await (const m of watch(cursor, stop.signal)) seen.push(m.message.value?.cursor ?? "");
    })();
    done.catch(() => {});
    return { seen, stop: () => stop.abort(), done };
  };
  // A macrotask runs after every microtask that is ready, however deep the chain.
  const settle = () => new Promise<void>((resolve) => setTimeout(resolve));
  return { streams, tab, settle, channels };
}

test("two tabs hold one stream, and both see everything", async () => {
  const s = setup();
  const [a, b] = [s.tab(), s.tab()];
  await s.settle();
  s.streams[0]?.box.put(event("c1"));
  s.streams[0]?.box.put(event("c2"));
  await s.settle();
  expect(s.streams).toHaveLength(1);
  expect([a.seen, b.seen]).toEqual([
    ["c1", "c2"],
    ["c1", "c2"],
  ]);
});

test("when the leading tab goes, the next goes on behind the last event", async () => {
  const s = setup();
  const [a, b] = [s.tab(), s.tab()];
  await s.settle();
  s.streams[0]?.box.put(event("c1"));
  await s.settle();
  a.stop();
  await s.settle();
  expect(s.streams.map((x) => x.cursor)).toEqual(["", "c1"]);
  s.streams[1]?.box.put(event("c2"));
  await s.settle();
  expect(b.seen).toEqual(["c1", "c2"]);
});

test("a tab that opens later is told at once where the stream is", async () => {
  const s = setup();
  s.tab();
  await s.settle();
  s.streams[0]?.box.put(event("c7"));
  await s.settle();
  const late = s.tab();
  await s.settle();
  expect(late.seen).toEqual(["c7"]);
});

test("a stream that breaks is an error of the tab that led, and another one tries", async () => {
  const s = setup();
  const [a, b] = [s.tab(), s.tab()];
  await s.settle();
  s.streams[0]?.box.close();
  await expect(a.done).rejects.toThrow("broken");
  await s.settle();
  expect(s.streams).toHaveLength(2);
  s.streams[1]?.box.put(event("c1"));
  await s.settle();
  expect(b.seen).toEqual(["c1"]);
});

test("tabs that close leave nothing behind", async () => {
  const s = setup();
  const [a, b] = [s.tab(), s.tab()];
  await s.settle();
  b.stop();
  await s.settle();
  a.stop();
  await s.settle();
  await Promise.all([a.done, b.done]);
  expect([s.streams.length, s.channels.size]).toEqual([1, 0]);
});

test("without locks each tab has its own stream", () => {
  const watch = async function* () {};
  expect(shareWatch(watch, undefined)).toBe(watch);
});

import { Code, ConnectError, type Interceptor, type Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { parseServerTime, type ServerClock } from "../time/clock";
import type { Gate } from "./gate";

/** Learns the server's time from each answer, errors included. */
export function clockInterceptor(clock: ServerClock): Interceptor {
  return (next) => async (req) => {
    const sent = clock.browserTime();
    const learn = (headers: Headers) => {
      const time = headers.get("x-server-time");
      if (time) clock.observe(parseServerTime(time), sent, clock.browserTime());
    };
    try {
      const res = await next(req);
      learn(res.header);
      return res;
    } catch (err) {
      if (err instanceof ConnectError) learn(err.metadata);
      throw err;
    }
  };
}

/** Closes the gate when the server says that nobody is logged in. */
export function gateInterceptor(gate: Gate): Interceptor {
  return (next) => async (req) => {
    try {
      return await next(req);
    } catch (err) {
      if (ConnectError.from(err).code === Code.Unauthenticated) gate.close();
      throw err;
    }
  };
}

/** What every call passes through, on whatever transport. */
export function standardInterceptors(clock: ServerClock, gate: Gate): Interceptor[] {
  return [gateInterceptor(gate), clockInterceptor(clock)];
}

/**
 * The connection to the server at base. Messages travel as binary: it keeps
 * the numbers of enum values that this page does not know, where JSON would
 * drop them.
 */
export function serverTransport(base: string, clock: ServerClock, gate: Gate): Transport {
  return createConnectTransport({
    baseUrl: base,
    useBinaryFormat: true,
    interceptors: standardInterceptors(clock, gate),
  });
}

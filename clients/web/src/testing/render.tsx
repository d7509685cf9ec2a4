import { createMemoryHistory } from "@tanstack/react-router";
import { act, render, waitFor } from "@testing-library/react";
import { standardInterceptors } from "../api/transport";
import { App } from "../app/App";
import { createAppRouter } from "../app/router";
import { createServices } from "../app/services";
import { ServerClock } from "../time/clock";
import { Backend } from "./backend";
import { NOW } from "./fixtures";

/** Opens a page of the real application over a server in memory, at the time NOW. */
export function openPage(path: string, prepare: (backend: Backend) => void = () => {}) {
  window.localStorage.clear();
  let now = NOW;
  const clock = new ServerClock(() => now);
  const backend = new Backend(() => now);
  prepare(backend);
  const services = createServices(
    "http://localhost",
    (clock, gate) => backend.transport(standardInterceptors(clock, gate)),
    clock,
  );
  const history = createMemoryHistory({ initialEntries: [path] });
  const router = createAppRouter("/", history);
  const view = render(<App services={services} router={router} env="test" />);
  return {
    ...view,
    backend,
    services,
    /** The address of the page, with its query. */
    address: () => history.location.href,
    /** Lets time pass for everything that counts. */
    advance(seconds: number) {
      now += seconds * 1000;
      // A freeze and a thaw make the ticker read the clock at once.
      act(() => {
        services.ticker.freeze(true);
        services.ticker.freeze(false);
      });
    },
    /** Waits until the page follows the server's stream. */
    live: () =>
      waitFor(() => {
        if (services.live.read().phase !== "live") throw new Error("not live yet");
      }),
  };
}

/** The text of an element without the spaces between its parts. */
export function textOf(element: Element | null): string {
  return (element?.textContent ?? "").replace(/\s+/g, " ").trim();
}

// The pages over a server in memory, for work on their looks: "npm run dev",
// then /ui/dev/. It is no input of the build, so it is not shipped.
import { createMemoryHistory } from "@tanstack/react-router";
import { createRoot } from "react-dom/client";
import { App } from "../src/app/App";
import { createAppRouter } from "../src/app/router";
import { createServices } from "../src/app/services";
import { status } from "../src/i18n/states";
import { Backend } from "../src/testing/backend";
import { failedRun, NOW, retrying, stoppedAtQuota, wakeup } from "../src/testing/fixtures";
import { ServerClock } from "../src/time/clock";
import "../src/theme/styles";

const started = Date.now();
const clock = new ServerClock(() => NOW + Date.now() - started);
const backend = new Backend(() => clock.now());
backend.wakeups = [
  retrying({ wakeupId: "w-1" }),
  stoppedAtQuota(),
  ...status.values.map((s) => wakeup({ wakeupId: `w-${s}-each`, status: s, runCount: s % 4 })),
  ...Array.from({ length: 80 }, (_, n) =>
    wakeup({ wakeupId: `more-${n}`, status: 5, runCount: 1 }),
  ),
];
backend.runs = [failedRun()];

const services = createServices("http://localhost", () => backend.transport(), clock);
const path = new URLSearchParams(window.location.search).get("at") ?? "/wakeups";
const router = createAppRouter("/", createMemoryHistory({ initialEntries: [path] }));
const root = document.getElementById("root");
if (root) createRoot(root).render(<App services={services} router={router} />);

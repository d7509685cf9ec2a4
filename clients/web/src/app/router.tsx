import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouterHistory,
  redirect,
} from "@tanstack/react-router";
import { CrashPage, NotFoundPage } from "../page/FaultPages";
import { LoginPage } from "../page/LoginPage";
import { WakeupsPage } from "../page/WakeupsPage";
import { readSearch } from "../wakeup/filter";
import { Shell } from "./Shell";

const root = createRootRoute({ component: Shell, notFoundComponent: NotFoundPage });

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  validateSearch: readSearch,
  beforeLoad: ({ search }) => {
    throw redirect({ to: "/wakeups", search, replace: true });
  },
});

const wakeups = createRoute({
  getParentRoute: () => root,
  path: "/wakeups",
  validateSearch: readSearch,
  component: WakeupsPage,
});

const wakeup = createRoute({
  getParentRoute: () => root,
  path: "/wakeups/$wakeupId",
  validateSearch: (raw: Record<string, unknown>): { tab?: string; run?: string } => ({
    ...(typeof raw.tab === "string" ? { tab: raw.tab } : {}),
    ...(typeof raw.run === "string" ? { run: raw.run } : {}),
  }),
  component: lazyRouteComponent(() => import("../page/WakeupPage"), "WakeupPage"),
});

const login = createRoute({ getParentRoute: () => root, path: "/login", component: LoginPage });

const routeTree = root.addChildren([home, wakeups, wakeup, login]);

/** The router: addresses to pages. basepath is where the pages live, as "/ui". */
export function createAppRouter(basepath: string, history?: RouterHistory) {
  return createRouter({
    routeTree,
    basepath,
    ...(history ? { history } : {}),
    defaultErrorComponent: CrashPage,
    defaultPreload: "intent",
    scrollRestoration: true,
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch,
  });
}

// Values stay as a person would type them: ?status=failed,parked
function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(search)) {
    if (typeof value === "string") params.set(key, value);
  }
  const text = params.toString().replaceAll("%2C", ",");
  return text && `?${text}`;
}

/** The router's type, which gives links their checked addresses. */
export type AppRouter = ReturnType<typeof createAppRouter>;

declare module "@tanstack/react-router" {
  interface Register {
    router: AppRouter;
  }
}

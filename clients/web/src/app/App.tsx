import { TransportProvider } from "@connectrpc/connect-query";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { theme } from "../theme/theme";
import type { AppRouter } from "./router";
import { type Services, ServicesProvider } from "./services";

/**
 * The whole page. Mantine writes no style elements: the variables are in
 * tokens.css, since a strict content policy refuses inline styles.
 */
export function App(props: { services: Services; router: AppRouter; env?: "test" }) {
  const { services, router } = props;
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
      env={props.env ?? "default"}
    >
      <ServicesProvider value={services}>
        <TransportProvider transport={services.transport}>
          <QueryClientProvider client={services.query}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </TransportProvider>
      </ServicesProvider>
    </MantineProvider>
  );
}

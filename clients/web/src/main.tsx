import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { pagesBase, serverBase } from "./api/address";
import { serverTransport } from "./api/transport";
import { App } from "./app/App";
import { createAppRouter } from "./app/router";
import { createServices } from "./app/services";
import "./theme/styles";

const { origin, pathname } = window.location;
const base = serverBase(origin, pathname);
const services = createServices(base, (clock, gate) => serverTransport(base, clock, gate));
const router = createAppRouter(pagesBase(origin, base));

const root = document.getElementById("root");
if (!root) throw new Error("the page has no root element");
createRoot(root).render(
  <StrictMode>
    <App services={services} router={router} />
  </StrictMode>,
);

import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const here = (path: string) => decodeURIComponent(new URL(path, import.meta.url).pathname);

// The generated client lies outside this folder and has no node_modules of its
// own: dedupe makes its imports resolve to the ones installed here.
export default defineConfig({
  base: "/ui/",
  plugins: [react()],
  resolve: {
    alias: { "@gen": here("../../gen/ts/recourse/v1") },
    dedupe: ["@bufbuild/protobuf"],
  },
  build: {
    // light-dark() and nesting stay as written: the theme depends on them.
    target: ["chrome123", "firefox121", "safari17.5"],
    cssTarget: ["chrome123", "firefox121", "safari17.5"],
    chunkSizeWarningLimit: 800,
    // Nothing is inlined as a data: URL, which a strict content policy refuses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    fs: { allow: [here("."), here("../../gen/ts")] },
    proxy: {
      "/recourse.v1": "http://127.0.0.1:8080",
      "/ui/login": {
        target: "http://127.0.0.1:8080",
        bypass: (req) => (req.method === "POST" ? undefined : req.url),
      },
    },
  },
  test: {
    restoreMocks: true,
    // Nothing here keeps state in a module, so files may share what they loaded.
    isolate: false,
    testTimeout: 30_000,
    server: { deps: { inline: [/@bufbuild\/protobuf/, /@connectrpc/] } },
    // Only what renders pays for a document.
    projects: [
      {
        extends: true,
        test: { name: "pure", environment: "node", css: true, include: ["src/**/*.test.ts"] },
      },
      {
        extends: true,
        test: {
          name: "page",
          environment: "jsdom",
          // Styles would make every look-up by role compute a cascade.
          css: false,
          deps: { optimizer: { client: { enabled: true, include: ["@mantine/core"] } } },
          environmentOptions: { jsdom: { url: "http://localhost/ui/" } },
          setupFiles: ["src/testing/setup.ts"],
          include: ["src/**/*.test.tsx"],
        },
      },
    ],
  },
});

// Fails when a REST path or method of the last release (or of the main branch)
// is gone from gen/openapi: buf breaking does not see changed paths.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const file = "gen/openapi/recourse.swagger.json";
const git = (...args) => execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
const attempt = (...args) => {
  try {
    return git(...args);
  } catch {
    return "";
  }
};

const operations = (text) =>
  Object.entries(JSON.parse(text).paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );

const base = attempt("describe", "--tags", "--abbrev=0") || attempt("rev-parse", "--verify", "origin/main") || "HEAD";
const before = attempt("show", `${base}:${file}`);
if (!before) {
  console.log(`no ${file} at ${base}: nothing to compare`);
  process.exit(0);
}
const now = new Set(operations(readFileSync(file, "utf8")));
const gone = operations(before).filter((operation) => !now.has(operation));
if (gone.length > 0) {
  console.error(`REST operations of ${base} that are gone or changed:\n  ${gone.join("\n  ")}`);
  process.exit(1);
}
console.log(`every REST operation of ${base} is still there (${now.size} now)`);

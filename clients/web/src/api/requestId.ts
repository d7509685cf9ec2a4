/**
 * A new id that makes a call idempotent. crypto.randomUUID exists only on
 * secure origins, and this page may be opened by a plain address on a LAN.
 */
export function newRequestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `web-${[...bytes].map((b) => b.toString(16).padStart(2, "0")).join("")}`;
}

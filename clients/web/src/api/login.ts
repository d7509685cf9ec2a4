/** How an exchange of a login code ended. */
export type LoginResult =
  | { kind: "ok" }
  | { kind: "refused" }
  | { kind: "failed"; message: string; requestId: string };

/**
 * Exchanges a single-use login code for a session cookie, at the server's own
 * address. It must be called once per code: a second time the code is used.
 */
export async function exchangeCode(base: string, code: string): Promise<LoginResult> {
  try {
    const res = await fetch(`${base}/ui/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code }),
    });
    if (res.ok) return { kind: "ok" };
    if (res.status === 401) return { kind: "refused" };
    const requestId = res.headers.get("x-request-id") ?? "";
    return { kind: "failed", message: await messageOf(res), requestId };
  } catch (err) {
    return { kind: "failed", message: String(err), requestId: "" };
  }
}

// The server says what is wrong in "error"; anything else is told by its status.
async function messageOf(res: Response): Promise<string> {
  try {
    const body: unknown = await res.json();
    if (typeof body === "object" && body !== null && "error" in body) return String(body.error);
  } catch {
    // Not JSON, so not our server: the status has to do.
  }
  return `${res.status} ${res.statusText}`.trim();
}

/** Calls the server as an orchestrator would: Connect with JSON, or REST. */
export class Api {
  constructor(server) {
    this.server = server;
  }

  /** One call of a service's method. */
  call(service, method, body) {
    return this.post(`/recourse.v1.${service}/${method}`, body);
  }

  /** One REST call of the default workspace. */
  rest(path, body) {
    return this.post(`/v1/workspaces/default/${path}`, body);
  }

  async post(path, body) {
    const res = await fetch(this.server.url + path, {
      method: "POST",
      headers: {
        authorization: `Bearer ${this.server.token}`,
        "content-type": "application/json",
      },
      body: JSON.stringify(body),
    });
    const text = await res.text();
    if (!res.ok) throw new Error(`${path}: ${res.status} ${text}`);
    return JSON.parse(text);
  }

  /** A path that logs a browser in once. */
  async loginPath() {
    return (await this.call("WorkspaceService", "CreateLoginLink", {})).path;
  }
}

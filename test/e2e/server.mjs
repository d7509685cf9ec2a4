import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "./until.mjs";

/** Starts the real server with an embedded database in a new folder. */
export async function startServer(binary) {
  const data = await mkdtemp(join(tmpdir(), "recourse-e2e-"));
  // The database runs as another user when this runs as root, and must get in.
  await chmod(data, 0o755);
  const port = await freePort();
  const server = new Server(binary, data, port);
  await server.start();
  return server;
}

/** A server process that can be stopped and started again on the same data. */
class Server {
  constructor(binary, data, port) {
    this.binary = binary;
    this.data = data;
    this.port = port;
    this.url = `http://127.0.0.1:${port}`;
    this.log = "";
  }

  async start() {
    const env = { ...process.env, DATABASE_URL: "", RECOURSE_DATA: "", RECOURSE_LISTEN: "" };
    for (const name of ["DATABASE_URL", "RECOURSE_DATA", "RECOURSE_LISTEN"]) delete env[name];
    const args = ["serve", "--listen", `127.0.0.1:${this.port}`, "--data", this.data];
    this.process = spawn(this.binary, args, { env, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [this.process.stdout, this.process.stderr]) {
      stream.on("data", (chunk) => {
        this.log += chunk;
      });
    }
    await until("the server is ready", 60_000, async () => {
      if (this.process.exitCode !== null) throw new Error(`the server ended:\n${this.log}`);
      return (await fetch(`${this.url}/readyz`)).ok;
    });
    this.token = (await readFile(join(this.data, "admin-token"), "utf8")).trim();
  }

  /** Ends the process and waits for it; a SIGKILL leaves the database to recover. */
  async stop(signal = "SIGTERM") {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    this.process.kill(signal);
    await once(this.process, "exit");
  }

  async remove() {
    await this.stop();
    await rm(this.data, { recursive: true, force: true });
  }
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

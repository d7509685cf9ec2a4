const supervisor = { supervisorId: "e2e", hostId: "e2e-host" };

// What real agents print; the server classifies it, nothing here does.
const printed = {
  overloaded:
    'API Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
  quota: "Claude AI usage limit reached|",
  auth: "Invalid API key · Please run /login",
  odd: "Something went wrong",
};

const nothingDone = {
  assistantOutput: "EFFECT_NONE",
  toolActivity: "EFFECT_NONE",
  partialResult: "EFFECT_NONE",
  delivery: "DELIVERY_ACKNOWLEDGED",
};

/** Puts wakeups into a server by the calls that a supervisor makes. */
export class Seed {
  constructor(api) {
    this.api = api;
  }

  /** Begins a prompt; it is queued. */
  async begin(repo, policy = {}, work = { delivery: "DELIVERY_MODE_CALLER" }) {
    const { wakeup } = await this.api.rest("prompts:begin", {
      ...work,
      supervisor,
      profile: {
        agentKind: "claude",
        agentVersion: "2.1.328",
        provider: "anthropic",
        model: "claude-sonnet-4-5",
        argvShape: ["claude", "-p"],
        labels: { repo },
        policy,
      },
    });
    return wakeup;
  }

  /** Claims a wakeup and has the agent take the prompt; it is running. */
  async deliver(wakeupId, { wait = "0s", nativeSessionId = "" } = {}) {
    const { claims } = await this.api.call("RecoveryService", "ClaimWakeups", {
      wakeupIds: [wakeupId],
      supervisor,
      wait,
    });
    if (!claims?.length) throw new Error(`${wakeupId} was not claimable`);
    const { run, leaseToken } = claims[0];
    const held = { runId: run.runId, leaseToken };
    await this.api.call("RecoveryService", "BeginSend", held);
    await this.api.call("RecoveryService", "MarkDelivered", { ...held, nativeSessionId });
    return { ...held, send: run.send };
  }

  /** Reports that a run printed text and exited 1. */
  fail({ runId, leaseToken }, text, effects = nothingDone) {
    return this.api.call("RecoveryService", "ReportFailure", {
      runId,
      leaseToken,
      envelope: {
        agentKind: "claude",
        agentVersion: "2.1.328",
        phase: "PHASE_PRE_OUTPUT",
        effects,
        signals: [{ stdout: { text } }, { processExit: { exitCode: 1 } }],
      },
    });
  }

  succeed({ runId, leaseToken }) {
    const body = { runId, leaseToken, effects: nothingDone };
    return this.api.call("RecoveryService", "ReportSuccess", body);
  }

  /** A wakeup in each status that this server can reach, oldest first. */
  async gallery() {
    const ids = {};
    const start = async (name, policy) => {
      ids[name] = (await this.begin(name, policy)).wakeupId;
      return ids[name];
    };
    await this.succeed(await this.deliver(await start("done")));
    await this.fail(await this.deliver(await start("quota")), printed.quota + inHours(3));
    await this.fail(await this.deliver(await start("login")), printed.auth);
    await this.fail(await this.deliver(await start("odd")), printed.odd);
    const cancelled = await start("cancelled");
    await this.api.call("RecoveryService", "CancelWait", { wakeupId: cancelled });
    const patient = await start("patient", { preset: "POLICY_PRESET_PATIENT" });
    await this.fail(await this.deliver(patient), printed.quota + inHours(1));
    await this.deliver(await start("running"));
    await start("queued");
    return ids;
  }

  /** A wakeup that waits for a stated reset an hour away. */
  async waiting(repo) {
    const wakeup = await this.begin(repo, { preset: "POLICY_PRESET_PATIENT" });
    await this.fail(await this.deliver(wakeup.wakeupId), printed.quota + inHours(1));
    return wakeup;
  }

  /** A wakeup that overloads once and is to be retried. */
  async retrying(repo) {
    const { wakeupId } = await this.begin(repo);
    const answer = await this.fail(await this.deliver(wakeupId), printed.overloaded);
    return { wakeupId, decision: answer.decision };
  }
}

function inHours(n) {
  return Math.floor(Date.now() / 1000) + n * 3600;
}

export { printed };

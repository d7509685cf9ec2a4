import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { Action } from "@gen/recovery_pb";
import { RecoveryService } from "@gen/recovery_service_pb";

const recovery = createClient(
  RecoveryService,
  createConnectTransport({ baseUrl: process.env.AGENTCTL_SERVER ?? "" }),
);
const { classification, decision } = await recovery.decide(
  {
    policy: { replaySafe: true },
    envelope: {
      agentKind: "claude",
      signals: [
        { channel: { case: "stdout", value: { text: "API Error: 529 Overloaded" } } },
        { channel: { case: "processExit", value: { exitCode: 1 } } },
      ],
    },
  },
  { headers: { Authorization: `Bearer ${process.env.AGENTCTL_TOKEN}` } },
);
console.log(classification?.ruleId, Action[decision?.action ?? 0], decision?.retryAt);

import type { ProfileSnapshot } from "@gen/recovery_pb";
import { messages as t } from "../i18n/messages";

const names: Record<string, string> = {
  claude: "Claude Code",
  codex: "Codex",
  gemini: "Gemini CLI",
  opencode: "OpenCode",
  copilot: "Copilot CLI",
  amp: "Amp",
  auggie: "Auggie",
};

/** The agent's name for a person, as "Claude Code"; its kind as it is if unknown here. */
export function agentName(profile: ProfileSnapshot | undefined): string {
  const kind = profile?.agentKind ?? "";
  return (Object.hasOwn(names, kind) && names[kind]) || kind || t.agent.unknown;
}

/** What tells this agent from another: model, then labels in the order of their names. */
export function agentDetail(profile: ProfileSnapshot | undefined): string {
  if (!profile) return "";
  const labels = Object.entries(profile.labels)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([, value]) => value);
  return [profile.model || profile.provider, ...labels].filter(Boolean).join(" · ");
}

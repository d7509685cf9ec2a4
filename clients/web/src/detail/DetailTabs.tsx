import type { Run, Wakeup } from "@gen/recovery_pb";
import { Tabs } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { showSideways } from "../component/sideways";
import { messages as t } from "../i18n/messages";
import { Attempts } from "./Attempts";
import { DecisionTab } from "./DecisionTab";
import { EvidenceTab } from "./EvidenceTab";
import { Raw } from "./Raw";
import { Timeline } from "./Timeline";
import css from "./tabs.module.css";

const panels = {
  timeline: Timeline,
  attempts: Attempts,
  evidence: EvidenceTab,
  decision: DecisionTab,
  raw: Raw,
};
type Tab = keyof typeof panels;
const tabs = Object.keys(panels) as Tab[];

/** The ways to look at one wakeup; the open one is in the address. */
export function DetailTabs({ wakeup, runs }: { wakeup: Wakeup; runs: readonly Run[] }) {
  const search = useSearch({ from: "/wakeups/$wakeupId" });
  const navigate = useNavigate({ from: "/wakeups/$wakeupId" });
  const open = tabs.find((name) => name === search.tab) ?? "timeline";
  const Content = panels[open];
  const list = useRef<HTMLDivElement>(null);
  // On a narrow phone the tabs scroll: the open one must be in sight.
  useEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>(`[data-tab="${open}"]`);
    if (list.current && tab) showSideways(list.current, tab);
  }, [open]);
  return (
    <Tabs
      value={open}
      onChange={(tab) =>
        void navigate({
          search: { ...(tab && tab !== "timeline" ? { tab } : {}) },
          replace: true,
          resetScroll: false,
        })
      }
    >
      <Tabs.List ref={list} className={css.list}>
        {tabs.map((name) => (
          <Tabs.Tab key={name} value={name} data-tab={name} className={css.tab}>
            {t.detail.tabs[name]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={open} className={css.panel}>
        <Content wakeup={wakeup} runs={runs} />
      </Tabs.Panel>
    </Tabs>
  );
}

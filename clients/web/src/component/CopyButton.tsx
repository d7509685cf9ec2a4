import { Button } from "@mantine/core";
import { useEffect, useState } from "react";
import { messages as t } from "../i18n/messages";
import { copyText } from "./clipboard";
import { Icon } from "./Icon";

/** How long the button says that it copied, in milliseconds. */
const SAID_MS = 2_000;

/** A button that copies text and says how it went. */
export function CopyButton({ text, what, label }: { text: string; what: string; label?: string }) {
  const [result, setResult] = useState<boolean | undefined>();
  useEffect(() => {
    if (result === undefined) return;
    const id = window.setTimeout(() => setResult(undefined), SAID_MS);
    return () => window.clearTimeout(id);
  }, [result]);
  const words =
    result === undefined ? (label ?? t.copy.copy) : t.copy[result ? "copied" : "failed"];
  return (
    <Button
      variant="default"
      leftSection={<Icon name={result ? "completed" : "copy"} />}
      aria-label={result === undefined ? t.copy.what(what) : words}
      onClick={async () => setResult(await copyText(text))}
    >
      <span aria-live="polite">{words}</span>
    </Button>
  );
}

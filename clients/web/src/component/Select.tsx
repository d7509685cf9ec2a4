import { NativeSelect, type NativeSelectProps } from "@mantine/core";
import css from "./select.module.css";

/** The browser's own select, which every phone knows how to show, at full target height. */
export function Select(props: NativeSelectProps) {
  return <NativeSelect size="md" classNames={{ input: css.input ?? "" }} {...props} />;
}

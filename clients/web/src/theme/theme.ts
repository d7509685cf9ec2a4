import { createTheme, type MantineColorsTuple } from "@mantine/core";

// The values live in tokens.css; Mantine needs a tuple to know the name.
const accent = Array.from(
  { length: 10 },
  () => "var(--rc-accent)",
) as unknown as MantineColorsTuple;

/** The Mantine theme: the accent of tokens.css, targets of at least 44 px. */
export const theme = createTheme({
  primaryColor: "accent",
  colors: { accent },
  focusRing: "auto",
  respectReducedMotion: true,
  cursorType: "pointer",
  components: {
    Button: { defaultProps: { size: "sm", h: "var(--rc-target)", variant: "filled" } },
    ActionIcon: { defaultProps: { size: "var(--rc-target)", variant: "subtle" } },
    Modal: { defaultProps: { lockScroll: false, centered: true } },
    Menu: { defaultProps: { position: "bottom-end", withinPortal: true } },
  },
});

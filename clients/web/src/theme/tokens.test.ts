import { expect, test } from "vitest";
import css from "./tokens.css?raw";

const pairs = new Map(
  [...css.matchAll(/--rc-([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map((m) => [
    m[1] as string,
    { light: m[2] as string, dark: m[3] as string },
  ]),
);

// Relative luminance and contrast as WCAG 2.2 defines them.
function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const c = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [hi, lo] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (hi + 0.05) / (lo + 0.05);
}

const statuses = [
  "queued",
  "running",
  "scheduled-retry",
  "parked",
  "completed",
  "failed",
  "timed-out",
  "cancelled",
];

// Foreground, background, least contrast: 4.5 for text, 3 for lines and focus.
const readTogether: [string, string, number][] = [
  ...["bg", "surface", "surface-raised", "surface-code", "accent-soft"].flatMap(
    (bg): [string, string, number][] => [
      ["text", bg, 4.5],
      ["text-dim", bg, 4.5],
      ["link", bg, 4.5],
    ],
  ),
  ["danger", "surface", 4.5],
  ["danger", "failed-bg", 4.5],
  // The button of what cannot be taken back, and the count of what needs a person.
  ["bg", "danger", 4.5],
  ["failed", "accent-soft", 4.5],
  ["text", "failed-bg", 4.5],
  ["text", "scheduled-retry-bg", 4.5],
  ["mark-text", "mark-bg", 4.5],
  ["on-accent", "accent", 4.5],
  ["on-accent", "accent-hover", 4.5],
  ["line-strong", "surface", 3],
  ["line-strong", "bg", 3],
  ["focus", "bg", 3],
  ["focus", "surface", 3],
  ...statuses.flatMap((s): [string, string, number][] => [
    [s, `${s}-bg`, 4.5],
    [s, "surface", 4.5],
  ]),
];

test.each(readTogether)(
  "%s on %s has a contrast of at least %f in both schemes",
  (fg, bg, least) => {
    const [f, b] = [pairs.get(fg), pairs.get(bg)];
    if (!f || !b) throw new Error(`no such token: ${f ? bg : fg}`);
    expect(contrast(f.light, b.light)).toBeGreaterThanOrEqual(least);
    expect(contrast(f.dark, b.dark)).toBeGreaterThanOrEqual(least);
  },
);

test("the contrast formula gives the known extremes", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 5);
  expect(contrast("#777777", "#777777")).toBe(1);
});

test("no other style sheet names a colour", () => {
  const sheets = import.meta.glob("/src/**/*.css", {
    query: "?raw",
    import: "default",
    eager: true,
  });
  const offenders = Object.entries(sheets as Record<string, string>)
    .filter(([path]) => !path.endsWith("theme/tokens.css"))
    .filter(([, text]) => /#[0-9a-f]{3,8}\b|rgba?\(|hsla?\(/i.test(text))
    .map(([path]) => path);
  expect(offenders).toEqual([]);
});

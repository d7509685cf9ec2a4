const shapes = {
  queued: ["M6 3h12M6 21h12M8 3v4l4 5-4 5v4M16 3v4l-4 5 4 5v4"],
  running: ["M8 5v14l11-7z"],
  scheduled_retry: ["M20 12a8 8 0 1 1-2.5-5.8", "M20.5 3v5h-5"],
  parked: ["M8 5v14", "M16 5v14"],
  completed: ["M4 12.5l5.5 5.5L20 6.5"],
  failed: ["M6 6l12 12", "M18 6L6 18"],
  timed_out: ["M12 7v5.5l3.5 2", "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z"],
  cancelled: ["M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z", "M5.8 5.8l12.4 12.4"],
  unknown: ["M9 9a3 3 0 1 1 4.2 2.8c-.8.4-1.2 1-1.2 2", "M12 17.5v.1"],
  copy: ["M9 9h11v11H9z", "M5 15H4V4h11v1"],
  menu: ["M4 6h16", "M4 12h16", "M4 18h16"],
  back: ["M15 5l-7 7 7 7"],
  forward: ["M9 5l7 7-7 7"],
  person: ["M12 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8z", "M4.5 21a7.5 7.5 0 0 1 15 0"],
  download: ["M12 4v11", "M7 11l5 5 5-5", "M5 20h14"],
} as const;

/** The name of a drawing. */
export type IconName = keyof typeof shapes;

/** Whether there is a drawing of this name. */
export function isIcon(name: string): name is IconName {
  return Object.hasOwn(shapes, name);
}

/** A drawing beside words that say the same; screen readers skip it. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      aria-hidden="true"
      focusable="false"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill={name === "running" ? "currentColor" : "none"}
      stroke="currentColor"
      strokeWidth="2.4"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {shapes[name].map((d) => (
        <path key={d} d={d} />
      ))}
    </svg>
  );
}

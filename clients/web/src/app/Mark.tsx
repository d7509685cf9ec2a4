/** The product's mark: a turn back to the start. */
export function Mark() {
  return (
    <svg aria-hidden="true" width="26" height="26" viewBox="0 0 32 32" fill="none">
      <rect width="32" height="32" rx="7" fill="var(--rc-accent)" />
      <g stroke="var(--rc-on-accent)" strokeWidth="3.2" strokeLinecap="round">
        <path d="M23 16a7 7 0 1 1-2.2-5.1" />
        <path d="M23.6 6.4v5.4h-5.4" strokeLinejoin="round" />
      </g>
    </svg>
  );
}

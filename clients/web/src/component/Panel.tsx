import type { ReactNode } from "react";
import css from "./panel.module.css";

/** A box in the place of content: a title, a sentence, and what to do about it. */
export function Panel(props: { title: string; children: ReactNode; level?: 1 | 2 }) {
  const Title = props.level === 1 ? "h1" : "h2";
  return (
    <section className={css.panel}>
      <Title>{props.title}</Title>
      {props.children}
    </section>
  );
}

import { en } from "./en";

/** The text of the interface in one language: sentences, and functions of parameters. */
export type Messages = typeof en;

/** The language in use. English is the only one so far. */
export const messages: Messages = en;

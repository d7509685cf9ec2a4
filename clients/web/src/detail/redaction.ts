/** A piece of text, and whether it stands for something that was removed. */
export interface Piece {
  text: string;
  redacted: boolean;
  /** Where it begins. */
  at: number;
}

/** Splits text at the server's placeholders, as "[redacted:api_key]". */
export function splitRedactions(text: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const part of text.split(/(\[redacted:[a-z_]+\])/)) {
    if (part) pieces.push({ text: part, redacted: /^\[redacted:[a-z_]+\]$/.test(part), at });
    at += part.length;
  }
  return pieces;
}

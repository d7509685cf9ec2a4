/**
 * Where the server is, from the address of this page: everything before /ui/,
 * so that it also works behind a path prefix.
 */
export function serverBase(origin: string, pathname: string): string {
  const at = pathname.indexOf("/ui/");
  const prefix = at >= 0 ? pathname.slice(0, at) : pathname.replace(/\/ui$|\/$/, "");
  return origin + prefix;
}

/** The path under which the pages live, as the router wants it. */
export function pagesBase(origin: string, base: string): string {
  return `${base.slice(origin.length)}/ui`;
}

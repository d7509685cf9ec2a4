/**
 * Scrolls box sideways until item is in sight. scrollIntoView would also move
 * the page up or down, away from where its reader is.
 */
export function showSideways(box: HTMLElement, item: HTMLElement): void {
  const [outer, inner] = [box.getBoundingClientRect(), item.getBoundingClientRect()];
  if (inner.left < outer.left) box.scrollLeft -= outer.left - inner.left;
  else if (inner.right > outer.right) box.scrollLeft += inner.right - outer.right;
}

/** Asks again and again until condition holds; an error it throws counts as not yet. */
export async function until(what, timeoutMs, condition) {
  const end = Date.now() + timeoutMs;
  let last;
  for (;;) {
    try {
      const value = await condition();
      if (value) return value;
    } catch (err) {
      last = err;
    }
    if (Date.now() > end) throw new Error(`never: ${what}`, { cause: last });
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Gives the ms since it was last asked, or since it was made. */
export function stopwatch(): () => number {
  let lastMs = performance.now();
  return () => {
    const beforeMs = lastMs;
    lastMs = performance.now();
    return lastMs - beforeMs;
  };
}

/** Gives the ms since it was last asked, or since it was made. */
export function startStopwatch(): () => number {
  let lastMs = performance.now();
  return () => {
    const beforeMs = lastMs;
    lastMs = performance.now();
    return lastMs - beforeMs;
  };
}

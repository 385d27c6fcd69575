/** Returns ms since the previous call, at first since its creation. */
export function startStopwatch(): () => number {
  let lastMs = performance.now();
  return () => {
    const beforeMs = lastMs;
    lastMs = performance.now();
    return lastMs - beforeMs;
  };
}

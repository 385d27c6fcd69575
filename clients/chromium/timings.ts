/** What the page itself can tell of its load, in ms from navigationStart; null where it has no such event. */
export interface PageTimings {
  loadEventEndMs: number | null;
  domContentLoadedEventEndMs: number | null;
  responseStartMs: number | null;
  firstContentfulPaintMs: number | null;
  largestContentfulPaintMs: number | null;
}

/** JavaScript to evaluate in the loaded page; gives PageTimings. */
export const pageTimingsExpression = `(${readPageTimings.toString()})()`;

// Runs in the page, so it may use nothing from outside itself.
function readPageTimings(): PageTimings {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const [paint] = performance.getEntriesByName('first-contentful-paint');
  const happened = (ms: number | undefined) => (ms === undefined || ms === 0 ? null : ms);
  // The browser has kept these all along; they are there at once.
  const observer = new PerformanceObserver(() => {});
  observer.observe({ type: 'largest-contentful-paint', buffered: true });
  const largest = observer.takeRecords().at(-1);
  observer.disconnect();
  return {
    loadEventEndMs: happened(navigation?.loadEventEnd),
    domContentLoadedEventEndMs: happened(navigation?.domContentLoadedEventEnd),
    responseStartMs: happened(navigation?.responseStart),
    firstContentfulPaintMs: happened(paint?.startTime),
    largestContentfulPaintMs: happened(largest?.startTime),
  };
}

/** The page's own timings, in ms from navigationStart; null: no such event. */
export interface PageTimings {
  loadEventEndMs: number | null;
  domContentLoadedEventEndMs: number | null;
  responseStartMs: number | null;
  firstContentfulPaintMs: number | null;
  largestContentfulPaintMs: number | null;
}

/** JavaScript to evaluate in the loaded page; its result is PageTimings. */
export const pageTimingsExpression = `(${readPageTimings.toString()})()`;

// Runs in the page, so it must not use variables from outside.
function readPageTimings(): PageTimings {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const [paint] = performance.getEntriesByName('first-contentful-paint');
  const happened = (ms: number | undefined) => (ms === undefined || ms === 0 ? null : ms);
  // The browser has buffered these entries, which are available at once.
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

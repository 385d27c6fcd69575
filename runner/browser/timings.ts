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
async function readPageTimings(): Promise<PageTimings> {
  const LARGEST_PAINT_WAIT_MS = 50;
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const [paint] = performance.getEntriesByName('first-contentful-paint');
  const happened = (ms: number | undefined) => (ms === undefined || ms === 0 ? null : ms);
  const largest = await new Promise<number | null>((resolve) => {
    const observer = new PerformanceObserver((list) => {
      resolve(happened(list.getEntries().at(-1)?.startTime));
    });
    observer.observe({ type: 'largest-contentful-paint', buffered: true });
    // A page without any contentful paint never calls the observer.
    setTimeout(() => resolve(null), LARGEST_PAINT_WAIT_MS);
  });
  return {
    loadEventEndMs: happened(navigation?.loadEventEnd),
    domContentLoadedEventEndMs: happened(navigation?.domContentLoadedEventEnd),
    responseStartMs: happened(navigation?.responseStart),
    firstContentfulPaintMs: happened(paint?.startTime),
    largestContentfulPaintMs: largest,
  };
}

/** The page's own timings, in ms from navigationStart; null: no such event. */
export interface PageTimings {
  loadEventEndMs: number | null;
  domContentLoadedEventEndMs: number | null;
  responseStartMs: number | null;
  firstContentfulPaintMs: number | null;
  largestContentfulPaintMs: number | null;
  /** null: nothing was painted that counts as content. */
  largestPaint: LargestPaint | null;
}

/** What the largest contentful paint shows. */
export interface LargestPaint {
  /** Its tag with id and first class, such as `img#hero.wide`; empty: no longer in the page. */
  element: string;
  /** Its image; null: text. */
  url: string | null;
  /** Its area in CSS pixels. */
  areaPx: number;
}

/**
 * JavaScript that resolves after a page's next frame: a task queued in its callback runs when the frame was handed to the compositor.
 */
export const nextFrameExpression =
  'new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))';

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
  const largest = observer.takeRecords().at(-1) as LargestContentfulPaint | undefined;
  const mostCharacters = 200;
  const nameOf = ({ localName, id, classList }: Element) => {
    const [first] = classList;
    return `${localName}${id && `#${id}`}${first ? `.${first}` : ''}`.slice(0, mostCharacters);
  };
  observer.disconnect();
  return {
    loadEventEndMs: happened(navigation?.loadEventEnd),
    domContentLoadedEventEndMs: happened(navigation?.domContentLoadedEventEnd),
    responseStartMs: happened(navigation?.responseStart),
    firstContentfulPaintMs: happened(paint?.startTime),
    largestContentfulPaintMs: happened(largest?.startTime),
    largestPaint: largest
      ? {
          element: largest.element ? nameOf(largest.element) : '',
          url: largest.url === '' ? null : largest.url.slice(0, 2000),
          areaPx: largest.size,
        }
      : null,
  };
}

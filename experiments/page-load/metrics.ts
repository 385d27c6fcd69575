import { type Metric, TIME } from '../../ground/experiment.ts';
import type { Observation } from '../../ground/records/observation.ts';
import type { PageLoadDetails } from './details.ts';

const FAILED = 'the load failed';
const NO_HAR = 'the load has no HAR';

type Named = Omit<Metric, 'better' | 'words' | 'scale' | 'failed' | 'missing'>;

type Reason = string | ((attempt: Observation) => string);

/** A time from the page or its HAR; failed loads have no such time. */
const time = ({ missing, ...about }: Omit<Named, 'unit'> & { missing: Reason }): Metric => ({
  ...about,
  ...TIME,
  missing: (attempt) => {
    if (attempt.outcome === 'failed') return FAILED;
    return typeof missing === 'string' ? missing : missing(attempt);
  },
});

function whyNoPageLoadTime({ details }: Observation): string {
  const { breaks } = (details as PageLoadDetails | null) ?? {};
  return breaks && breaks.reloads > 0
    ? 'the event of the path broke the page, which was reloaded'
    : 'no end of the load event was recorded';
}

/** A count from the HAR, which is compared without verdicts. */
const counted = ({ missing = NO_HAR, ...about }: Named & { missing?: string }): Metric => ({
  ...about,
  better: null,
  words: ['less', 'more'],
  scale: 'ratio',
  failed: 'absent',
  missing: ({ details }: Observation) =>
    (details as PageLoadDetails | null)?.traffic ? missing : NO_HAR,
});

/** Metrics of page loads, in the order of tables. */
export const PAGE_LOAD_METRICS: readonly Metric[] = [
  time({
    name: 'pageLoadMs',
    word: 'page-load',
    column: 'plt',
    label: 'Page load time',
    phrase: 'page load time',
    phrases: 'page load times',
    inPhrase: '',
    definition:
      'From the start of the navigation (navigationStart) to the end of the load event (loadEventEnd) of the main document.',
    source: 'the Navigation Timing of the page, read by the browser itself',
    missing: whyNoPageLoadTime,
  }),
  time({
    name: 'completeMs',
    word: 'complete',
    column: 'complete',
    label: 'Time until the page was complete',
    phrase: 'time until the page was complete',
    phrases: 'times until the page was complete',
    inPhrase: ' in the time until the page was complete',
    definition:
      'From the start of the first navigation to the end of the load event of the last one. If an event of the path (--event) breaks requests, or no data comes for 10 s after it, the page is reloaded with its cache. Without a reload it is the page load time. Measured only in runs with such a condition.',
    source:
      'the Navigation Timing of the page, and the starts of its requests if there were several',
    missing: 'the page was never complete, or no condition of the run has an event (--event)',
  }),
  time({
    name: 'documentMs',
    word: 'document',
    column: 'document',
    label: 'Document time',
    phrase: 'document time',
    phrases: 'document times',
    inPhrase: ' in document time',
    definition:
      'Duration of the request for the main document alone, as in the Time column of DevTools. It does not cover the rest of the page.',
    source: 'the time of the main document’s entry in the HAR',
    missing: 'the HAR has no such request',
  }),
  time({
    name: 'firstByteMs',
    word: 'first-byte',
    column: 'ttfb',
    label: 'Time to first byte',
    phrase: 'time to first byte',
    phrases: 'times to first byte',
    inPhrase: ' in time to first byte',
    definition:
      'From the start of the navigation (navigationStart) to the first byte of the main document (responseStart), including the connection set-up.',
    source: 'the Navigation Timing of the page, read by the browser itself',
    missing: 'no first byte was recorded',
  }),
  time({
    name: 'connectMs',
    word: 'connect',
    column: 'connect',
    label: 'Connection set-up',
    phrase: 'connection set-up time',
    phrases: 'connection set-up times',
    inPhrase: ' in connection set-up',
    definition:
      'Duration of the connection set-up for the main document: TCP and then TLS, or QUIC, which contains TLS.',
    source: 'timings.connect of the main document’s entry in the HAR',
    missing: 'the main document’s request has no connection set-up',
  }),
  time({
    name: 'domContentLoadedMs',
    word: 'dom-content-loaded',
    column: 'dcl',
    label: 'DOMContentLoaded',
    phrase: 'DOMContentLoaded time',
    phrases: 'DOMContentLoaded times',
    inPhrase: ' in DOMContentLoaded',
    definition:
      'From the start of the navigation (navigationStart) to the end of the DOMContentLoaded event (domContentLoadedEventEnd): the document is parsed and its scripts have run; images may still be missing.',
    source: 'the Navigation Timing of the page, read by the browser itself',
    missing: 'no end of DOMContentLoaded was recorded',
  }),
  time({
    name: 'firstContentfulPaintMs',
    word: 'first-contentful-paint',
    column: 'fcp',
    label: 'First contentful paint',
    phrase: 'first contentful paint',
    phrases: 'first contentful paints',
    inPhrase: ' in first contentful paint',
    definition:
      'From the start of the navigation (navigationStart) to the first text or image painted.',
    source: 'the Paint Timing of the page, read by the browser itself',
    missing: 'the page painted nothing',
  }),
  time({
    name: 'largestContentfulPaintMs',
    word: 'largest-contentful-paint',
    column: 'lcp',
    label: 'Largest contentful paint',
    phrase: 'largest contentful paint',
    phrases: 'largest contentful paints',
    inPhrase: ' in largest contentful paint',
    definition:
      'From the start of the navigation (navigationStart) to the painting of the largest text or image at the time when the load was read out.',
    source: 'the Largest Contentful Paint of the page, read by the browser itself',
    missing: 'the page painted nothing that counts as content',
  }),
  time({
    name: 'lastByteMs',
    word: 'last-byte',
    column: 'last_byte',
    label: 'Last byte',
    phrase: 'time to the last byte',
    phrases: 'times to the last byte',
    inPhrase: ' in time to the last byte',
    definition:
      'From the start of the navigation (navigationStart) to the end of the last response, even if the load event did not wait for it.',
    source: 'the entry of the HAR that ends last',
    missing: NO_HAR,
  }),
  counted({
    name: 'wireBytes',
    word: 'wire-bytes',
    column: 'wire',
    label: 'Bytes on the wire',
    phrase: 'number of bytes on the wire',
    phrases: 'numbers of bytes on the wire',
    inPhrase: ' in bytes on the wire',
    unit: 'bytes',
    definition:
      'Bytes of all responses as received, compressed and with headers, without the bytes of TLS or QUIC.',
    source: 'the sizes in the HAR',
    missing: 'the HAR lacks a size',
  }),
  counted({
    name: 'requests',
    word: 'requests',
    column: 'requests',
    label: 'Requests',
    phrase: 'number of requests',
    phrases: 'numbers of requests',
    inPhrase: ' in requests',
    unit: 'count',
    definition: 'Requests sent, with each redirect counted, without responses from the cache.',
    source: 'the entries of the HAR',
  }),
  counted({
    name: 'connections',
    word: 'connections',
    column: 'connections',
    label: 'Connections',
    phrase: 'number of connections',
    phrases: 'numbers of connections',
    inPhrase: ' in connections',
    unit: 'count',
    definition: 'Distinct connections that carried a response.',
    source: 'the entries of the HAR',
  }),
  counted({
    name: 'connectionsPerOrigin',
    word: 'connections-per-origin',
    column: 'connections_per_origin',
    label: 'Connections per origin',
    phrase: 'number of connections per origin',
    phrases: 'numbers of connections per origin',
    inPhrase: ' in connections per origin',
    unit: 'count',
    definition:
      'Mean over the hosts of the distinct connections that carried their responses. A connection may serve several hosts.',
    source: 'the connections of the entries in the HAR',
    missing: 'no response came over a connection',
  }),
  counted({
    name: 'peakConcurrentRequests',
    word: 'peak-concurrent-requests',
    column: 'peak_requests',
    label: 'Peak concurrent requests',
    phrase: 'peak of concurrent requests',
    phrases: 'peaks of concurrent requests',
    inPhrase: ' in concurrent requests',
    unit: 'count',
    definition: 'Maximum number of concurrent requests, each from its sending to its last byte.',
    source: 'the entries of the HAR',
  }),
];

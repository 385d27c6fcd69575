/** A stretch of a request's life, in the order in which they follow one another. */
export type PhaseName = 'held' | 'lookUp' | 'connect' | 'wait' | 'receive';

/** The phases in their order, as legends and tables name them. */
export const PHASES: readonly { name: PhaseName; label: string; heading: string }[] = [
  { name: 'held', label: 'held back by the browser (queued, blocked)', heading: 'Held back' },
  { name: 'lookUp', label: 'looking up the name', heading: 'Name' },
  { name: 'connect', label: 'connecting, with TLS or QUIC', heading: 'Connecting' },
  { name: 'wait', label: 'sent, waiting for the response', heading: 'Waiting' },
  { name: 'receive', label: 'receiving', heading: 'Receiving' },
];

/** A phase that took less than this is not worth a bar or a column: looking up a name that is known takes some microseconds. */
export const LEAST_MS = 0.5;

/** The phases that at least one of the requests spent time in. */
export function phasesOfRequests(
  requests: readonly { spans: readonly { phase: PhaseName; startMs: number; endMs: number }[] }[],
): typeof PHASES {
  const found = new Set(
    requests.flatMap(({ spans }) =>
      spans.flatMap(({ phase, startMs, endMs }) => (endMs - startMs >= LEAST_MS ? [phase] : [])),
    ),
  );
  return PHASES.filter(({ name }) => found.has(name));
}

import type { Expected, Observed, Problem } from './check.ts';

/** A load that was told of HTTP/3 by the name server and was not to be, or the other way round. */
export function namesToldOtherwise({ names }: Observed, { visit }: Expected): Problem | null {
  if (names === null) return null;
  if (visit === 'https-record' && names.httpsRecords === 0) {
    return {
      code: 'no-https-record',
      message: 'The browser was given no HTTPS record: it did not ask the name server for one.',
    };
  }
  if (visit !== 'https-record' && names.httpsRecords > 0) {
    return {
      code: 'https-record',
      message: `The browser was given ${names.httpsRecords} HTTPS records, which only an https-record visit has.`,
    };
  }
  return null;
}

/** An earlier load that did not come to know of HTTP/3 as a first visit does: by HTTP/2, with a word of it (Alt-Svc). */
export function notDiscovered({ earlier }: Observed, expected: Expected): Problem | null {
  const { visit, protocol } = expected;
  if (visit !== 'discovered' || protocol !== 'h2+h3') return null;
  if (earlier?.document === 'h2' && earlier.toldOfH3) return null;
  const came =
    earlier === null
      ? 'No HAR could be made of the load before, so it is unknown how it came.'
      : `The document of the load before came by ${earlier.document ?? 'no protocol'}, expected h2; ${earlier.toldOfH3 ? 'it was' : 'no response was'} told of HTTP/3 (Alt-Svc).`;
  return { code: 'not-discovered', message: came };
}

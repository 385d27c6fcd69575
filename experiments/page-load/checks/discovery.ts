import { returnVisits } from '../../../clients/visit-kind.ts';
import type { NetworkCondition } from '../../../ground/records/network.ts';
import { offersBoth } from '../../../ground/records/protocol.ts';
import { stopsUdp } from '../../../network/udp.ts';
import type { Problem } from '../../checks.ts';
import type { Expected, Observed } from './check.ts';

/** The browser received an HTTPS record that its visit must not have, or none although it must. */
export function wrongHttpsRecords({ names }: Observed, expected: Expected): Problem | null {
  const { visit, protocol } = expected;
  if (!offersBoth(protocol)) return null;
  if (visit === 'https-record' && !names?.httpsRecords) {
    return {
      code: 'no-https-record',
      message: `The browser received no HTTPS record: ${names === null ? 'it sends no query for servers at ports other than 443' : 'it sent no query for one'}.`,
    };
  }
  if (names === null) return null;
  if (visit !== 'https-record' && names.httpsRecords > 0) {
    return {
      code: 'https-record',
      message: `The browser received ${names.httpsRecords} HTTPS records, expected none in a ${visit} visit.`,
    };
  }
  return null;
}

/** The earlier load did not discover HTTP/3 as a first visit does: by HTTP/2, with an announcement (Alt-Svc). */
export function notDiscovered({ earlier }: Observed, expected: Expected): Problem | null {
  const { visit, protocol } = expected;
  if (returnVisits(visit) === 0 || !offersBoth(protocol)) return null;
  if (earlier?.document === 'h2' && earlier.advertisedH3) return null;
  const came =
    earlier === null
      ? 'No HAR could be made of the earlier load, so its protocols are unknown.'
      : `The document of the earlier load came by ${earlier.document ?? 'no protocol'}, expected h2, and ${earlier.advertisedH3 ? 'a' : 'no'} response announced HTTP/3 (Alt-Svc).`;
  return { code: 'not-discovered', message: came };
}

/**
 * A return visit used an unexpected protocol. HTTP/3 must work at the second visit. At the third one, over the network of the
 * load, it must fail if that network stops UDP.
 */
export function wrongReturnProtocol(
  { returnProtocols }: Observed,
  expected: Expected,
): Problem | null {
  const { visit, protocol, network } = expected;
  if (!offersBoth(protocol)) return null;
  for (let time = 1; time < returnVisits(visit); time++) {
    const came = returnProtocols[time] ?? [];
    const wanted = expectedReturnProtocols(time, network);
    const cameBy = came.includes('h3') ? 'h3' : 'h2';
    if (came.length > 0 && wanted.includes(cameBy)) continue;
    return {
      code: 'not-discovered',
      message: `Return visit ${time + 1} before the load came by ${came.join(', ') || 'no protocol'}, expected ${wanted.join(' or ')}.`,
    };
  }
  return null;
}

/** Versions for the return visit with this index. A network that does not stop UDP may still lose it: either is right. */
function expectedReturnProtocols(time: number, network: NetworkCondition): ('h2' | 'h3')[] {
  if (time === 1) return ['h3'];
  return stopsUdp(network.udp) ? ['h2'] : ['h2', 'h3'];
}

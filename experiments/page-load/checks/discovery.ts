import { returnVisits } from '../../../clients/chromium/visit-kind.ts';
import type { NetworkCondition } from '../../../ground/records/network.ts';
import { offersBoth } from '../../../ground/records/protocol.ts';
import { stopsUdp } from '../../../network/udp.ts';
import type { Problem } from '../../checks.ts';
import type { Expected, Observed } from './check.ts';

/** A load that was told of HTTP/3 by the name server and was not to be, or the other way round. */
export function wrongHttpsRecords({ names }: Observed, expected: Expected): Problem | null {
  const { visit, protocol } = expected;
  if (!offersBoth(protocol)) return null;
  if (visit === 'https-record' && !names?.httpsRecords) {
    return {
      code: 'no-https-record',
      message: `The browser was given no HTTPS record: ${names === null ? 'it asks for none of servers that do not listen at port 443' : 'it did not ask the name server for one'}.`,
    };
  }
  if (names === null) return null;
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
  if (returnVisits(visit) === 0 || !offersBoth(protocol)) return null;
  if (earlier?.document === 'h2' && earlier.toldOfH3) return null;
  const came =
    earlier === null
      ? 'No HAR could be made of the load before, so it is unknown how it came.'
      : `The document of the load before came by ${earlier.document ?? 'no protocol'}, expected h2, and ${earlier.toldOfH3 ? 'a' : 'no'} response told of HTTP/3 (Alt-Svc).`;
  return { code: 'not-discovered', message: came };
}

/**
 * A browser that did not come back as its kind of visit wants it: the second time HTTP/3 has to work, and the third time, over the network
 * of the load, it must not where that lets no UDP through.
 */
export function wrongReturnProtocol({ backBy }: Observed, expected: Expected): Problem | null {
  const { visit, protocol, network } = expected;
  if (!offersBoth(protocol)) return null;
  for (let time = 1; time < returnVisits(visit); time++) {
    const came = backBy[time] ?? [];
    const wanted = expectedReturnProtocols(time, network);
    const cameBy = came.includes('h3') ? 'h3' : 'h2';
    if (came.length > 0 && wanted.includes(cameBy)) continue;
    return {
      code: 'not-discovered',
      message: `When the browser came back for time ${time + 1} before the load, it came by ${came.join(', ') || 'no protocol'}, expected ${wanted.join(' or ')}.`,
    };
  }
  return null;
}

/** By what the browser may come back the second time, and the third: over a network that loses or throttles, either may come of that. */
function expectedReturnProtocols(time: number, network: NetworkCondition): ('h2' | 'h3')[] {
  if (time === 1) return ['h3'];
  return stopsUdp(network.udp) ? ['h2'] : ['h2', 'h3'];
}

import type { Observation } from '../../ground/records/observation.ts';
import { html } from '../../kit/page/markup.ts';
import { withSign } from '../../kit/text/estimate.ts';
import { countText, millisecondsText } from '../../kit/text/number.ts';
import { type Claim, claimsSection } from '../claims.ts';
import { armOf, comparePairs } from '../measures.ts';
import type { Reading } from '../readings.ts';
import { publishedVideoLeadMs } from './published.ts';

/** Round trips of a full handshake of TCP and TLS 1.2 that QUIC with early data saves. */
const MOST_ROUND_TRIPS = 3;

export const videosSection = claimsSection({
  id: 'panda',
  study: 'Panda 2019',
  presets: ['panda'],
  about: () => {
    const connection = publishedVideoLeadMs('connection');
    return html`<p>The study played YouTube’s videos over Google QUIC and over TCP, from Munich, from India and elsewhere, and found QUIC ahead by hundreds of ms before playback
started. A protocol saves at most ${MOST_ROUND_TRIPS} round trips: QUIC with early data against TLS 1.2. These take ${countText(Math.round(connection.Munich))} ms only if one takes ${Math.round(connection.Munich / MOST_ROUND_TRIPS)} ms (Munich), or
${Math.round(connection.India / MOST_ROUND_TRIPS)} ms (India), which is long for servers that stand near their viewers. The programs, their requests and the responding servers differed too.</p>
<p>Here one browser and one player use servers on one machine. QUIC makes a full handshake and TCP has TLS 1.3, so their connections differ by one round trip; the rest of a lead comes from the segments. Above 0, QUIC is ahead.</p>`;
  },
  claims: () => [
    leadClaim(
      'Connections for videos are set up sooner over QUIC (medians)',
      'connection',
      connectMs,
    ),
    leadClaim(
      'Videos are prebuffered sooner over QUIC (medians)',
      'prebuffering',
      'prebufferingMs',
    ),
    leadClaim('Videos start sooner over QUIC (medians)', 'start-up', 'startupDelayMs'),
  ],
});

function leadClaim(
  claim: string,
  time: Parameters<typeof publishedVideoLeadMs>[0],
  reading: string | Reading,
): Claim {
  const published = publishedVideoLeadMs(time);
  return {
    claim,
    textOf: (ms) => withSign(ms, (size) => `${millisecondsText(size)} ms`),
    timings: [
      { timed: 'YouTube, from Munich', published: published.Munich },
      { timed: 'YouTube, from India', published: published.India },
      {
        timed: 'one player, one machine',
        measured: comparePairs('difference', [armOf('h3', false), reading], [armOf('h3'), reading]),
        isOfEach: true,
      },
    ],
  };
}

/** Recorded requests of a session. */
interface RequestDetails {
  requests: readonly { kind: string; connectMs?: number | null }[];
}

/** Connection time of the manifest, from the browser. */
function connectMs({ details }: Observation): number | null {
  const { requests = [] } = (details ?? {}) as Partial<RequestDetails>;
  return requests.find(({ kind }) => kind === 'manifest')?.connectMs ?? null;
}

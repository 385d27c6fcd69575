import type { Observation } from '../../ground/records/observation.ts';
import { html } from '../../kit/page/markup.ts';
import { withSign } from '../../kit/text/estimate.ts';
import { countText, millisecondsText } from '../../kit/text/number.ts';
import { type Claim, claimsSection } from '../claims.ts';
import { armOf, comparePairs } from '../measures.ts';
import type { Reading } from '../readings.ts';
import { publishedVideoLeadMs } from './published.ts';

/** The most that a full handshake by TCP and TLS 1.2 waits for and QUIC with early data does not. */
const MOST_ROUND_TRIPS = 3;

export const videosSection = claimsSection({
  id: 'panda',
  study: 'Panda 2019',
  presets: ['panda'],
  about: () => {
    const connection = publishedVideoLeadMs('connection');
    return html`<p>The study played YouTube’s videos by Google QUIC and over TCP, from Munich, from India and elsewhere, and found QUIC ahead by hundreds of ms before anything was
played. A protocol saves round trips: at most ${MOST_ROUND_TRIPS}, of TLS 1.2 against QUIC with early data. So many take ${countText(Math.round(connection.Munich))} ms only where one takes ${Math.round(connection.Munich / MOST_ROUND_TRIPS)} ms (Munich), or
${Math.round(connection.India / MOST_ROUND_TRIPS)} ms (India), which is far for servers that stand near their viewers. The two programs, what they asked for and which server answered differed too.</p>
<p>Here one browser and one player ask servers on one machine. QUIC makes a full handshake and TCP has TLS 1.3, so that one round trip of the connection is between them; the rest of a lead is how segments come. Above 0, QUIC is ahead.</p>`;
  },
  claims: () => [
    leadClaim('Connections for videos are made sooner by QUIC (medians)', 'connection', connectMs),
    leadClaim('Videos are prebuffered sooner by QUIC (medians)', 'prebuffering', 'prebufferingMs'),
    leadClaim('Videos start sooner by QUIC (medians)', 'start-up', 'startupDelayMs'),
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

/** What the records of a session have of what was asked for. */
interface RequestDetails {
  asked: readonly { kind: string; connectMs?: number | null }[];
}

/** Of the connection that the manifest came by, as the browser says. */
function connectMs({ details }: Observation): number | null {
  const { asked = [] } = (details ?? {}) as Partial<RequestDetails>;
  return asked.find(({ kind }) => kind === 'manifest')?.connectMs ?? null;
}

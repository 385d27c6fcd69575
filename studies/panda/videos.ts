import type { VideoDetails } from '../../experiments/video/records.ts';
import { html } from '../../kit/page/markup.ts';
import { signed } from '../../kit/text/estimate.ts';
import { countText, millisecondsText } from '../../kit/text/number.ts';
import { type Claim, claimsSection, type Timing } from '../../report/sections/claims.ts';
import type { Reading } from '../../report/sections/readings.ts';
import type { ReportView } from '../../report/sections/view.ts';
import { differenceIn } from '../arms.ts';
import { publishedVideoLeadMs } from './published.ts';

/** The most that a full handshake by TCP and TLS 1.2 waits for and QUIC with early data does not. */
const MOST_ROUND_TRIPS = 3;

/** Panda's videos by QUIC and over TCP, beside those of a run. */
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
  claims: (view) => [
    leadClaim(
      view,
      'Connections for videos are made sooner by QUIC (medians)',
      'connection',
      connectMs,
    ),
    leadClaim(
      view,
      'Videos are prebuffered sooner by QUIC (medians)',
      'prebuffering',
      'prebufferingMs',
    ),
    leadClaim(view, 'Videos start sooner by QUIC (medians)', 'start-up', 'startupDelayMs'),
  ],
});

function leadClaim(
  view: ReportView,
  claim: string,
  time: Parameters<typeof publishedVideoLeadMs>[0],
  reading: string | Reading,
): Claim {
  const arm = (isQuic: boolean) =>
    view.run.arms.find(
      ({ protocol, controlOf }) => controlOf === null && (protocol === 'h3') === isQuic,
    )?.arm ?? '';
  const publishedMs = publishedVideoLeadMs(time);
  return {
    claim,
    textOf: (ms) => signed(ms, (size) => `${millisecondsText(size)} ms`),
    timings: [
      { timed: 'YouTube, from Munich', published: publishedMs.Munich, measured: null },
      { timed: 'YouTube, from India', published: publishedMs.India, measured: null },
      ...view.conditions.map(
        (condition): Timing => ({
          timed: `one player, one machine, ${condition.network.rttMs} ms added`,
          published: null,
          measured: differenceIn(
            view,
            condition,
            { arm: arm(false), reading },
            { arm: arm(true), reading },
          ),
        }),
      ),
    ],
  };
}

/** Of the connection that the manifest came by, as the browser says. */
const connectMs: Reading = ({ details }) =>
  (details as VideoDetails | null)?.asked.find(({ kind }) => kind === 'manifest')?.connectMs ??
  null;

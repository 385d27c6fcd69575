import { html } from '../../kit/page/markup.ts';
import { type Claim, claimsSection } from '../claims.ts';
import { armBy, comparePairs, roundTrips, withDelay } from '../measures.ts';
import { PUBLISHED } from './published-numbers.ts';

/** Approximate round-trip time of the two hosts with both QUIC and TLS 1.3 in the published data. */
const LEAD_RTT_MS = 20;

const TO_CONFIRMED = 'by QUIC until the client knows that the server has the complete handshake';
const TO_MAY_SEND = 'by QUIC until a request may leave';

const [quic, tls13, tls12] = [armBy('quic'), armBy('tls1.3'), armBy('tls1.2')];
const confirmed = roundTrips([quic, 'confirmedMs']);
/** Time from an instant of QUIC until TLS 1.3 may send. */
const leadAt = (instant: string) =>
  comparePairs('difference', [tls13, 'maySendMs'], [quic, instant]);

const { roundTrips: published, leadMs } = PUBLISHED;

const CLAIMS: readonly Claim[] = [
  {
    claim: 'QUIC sets up a connection in one round trip: round trips found',
    textOf: (value) => value.toFixed(2),
    timings: [
      { timed: `${TO_CONFIRMED}, all hosts`, published: published.quic, measured: confirmed },
      {
        timed: `${TO_CONFIRMED}, hosts that add little`,
        published: published.quicAtPlainHosts,
        measured: confirmed,
      },
      {
        timed: 'by QUIC until the client has the complete handshake',
        measured: roundTrips([quic, 'completeMs']),
      },
      { timed: TO_MAY_SEND, measured: roundTrips([quic, 'maySendMs']) },
    ],
  },
  {
    claim: 'TLS 1.3 on TCP takes two round trips, TLS 1.2 three: round trips found',
    textOf: (value) => value.toFixed(2),
    timings: [
      {
        timed: 'by TLS 1.3 until a request may leave',
        published: published.tls13,
        measured: roundTrips([tls13, 'maySendMs']),
      },
      {
        timed: 'by TLS 1.2 until a request may leave',
        published: published.tls12,
        measured: roundTrips([tls12, 'maySendMs']),
      },
    ],
  },
  {
    claim: `QUIC is ready about 10 ms sooner than TLS 1.3 from one machine, about 2 ms from another: its lead at ${LEAD_RTT_MS} ms`,
    textOf: (value) => `${value.toFixed(1).replace('-', '−')} ms`,
    at: withDelay(LEAD_RTT_MS),
    timings: [
      {
        timed: `${TO_CONFIRMED}, from emilia`,
        published: leadMs.emilia,
        measured: leadAt('confirmedMs'),
      },
      {
        timed: `${TO_CONFIRMED}, from vmott17`,
        published: leadMs.vmott17,
        measured: leadAt('confirmedMs'),
      },
      { timed: TO_MAY_SEND, measured: leadAt('maySendMs') },
    ],
  },
];

export const jaegerSection = claimsSection({
  id: 'jaeger',
  study: 'Jaeger 2018',
  presets: ['jaeger'],
  about: html`<p>B. Jaeger’s thesis “Measuring Google QUIC Connection Establishment Times” (TUM, 2018) timed handshakes with hosts of the internet. TLS was timed until a request may leave, QUIC until
the end of its handshake (<code>on_hsk_done</code> of lsquic): without prior knowledge of the host, a client of Google QUIC had sent its request a round trip before. IETF QUIC
names both instants; its implementations, lsquic among them, report a handshake as done when it is <em>confirmed</em>, again at the end of the second round trip.</p>
<p>Published round trips are slopes of lines through hosts, which also differ in their servers; “hosts that add little” are those where TLS 1.2 takes hardly more than three round trips.
Those of this run are slopes of lines through delays of one path. Protocols, libraries and machines differ: compare round trips, not milliseconds.</p>`,
  claims: () => CLAIMS,
});

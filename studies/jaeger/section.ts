import type { Via } from '../../ground/records/via.ts';
import { html } from '../../kit/page/markup.ts';
import type { Estimate } from '../../kit/text/estimate.ts';
import { type Claim, claimsSection } from '../../report/sections/claims.ts';
import { growthIn } from '../../report/sections/readings.ts';
import type { ConditionView, ReportView } from '../../report/sections/view.ts';
import { armBy, differenceIn } from '../arms.ts';
import { PUBLISHED } from './published-numbers.ts';

/** About the round-trip time of the two hosts that speak both QUIC and TLS 1.3 in the published data. */
const LEAD_RTT_MS = 20;

const TO_CONFIRMED = 'by QUIC until the client knows that the server has all of the handshake';
const TO_MAY_SEND = 'by QUIC until a request may leave';

/** The numbers of the thesis beside those of a run of its preset. */
export const jaegerSection = claimsSection({
  id: 'jaeger',
  study: 'Jaeger 2018',
  presets: ['jaeger'],
  about: html`<p>B. Jaeger’s thesis “Measuring Google QUIC Connection Establishment Times” (TUM, 2018) timed handshakes with hosts of the internet. TLS was timed until a request may leave, QUIC to
the end of its handshake (<code>on_hsk_done</code> of lsquic): a client of Google QUIC that knew nothing of a host had sent its request a round trip before. The QUIC of the
IETF has a name for each instant; the one at which its implementations, lsquic among them, say that a handshake is done is <em>confirmed</em>, the end of the second round trip again.</p>
<p>Published round trips are lines through hosts, which differ in their servers too; “hosts that add little” are those where TLS 1.2 takes three round trips and hardly more.
Those of this run are lines through delays of one path. The protocols, libraries and machines are others: compare round trips, not milliseconds.</p>`,
  claims: (view) => [...roundTripClaims(view), leadClaim(view)],
});

function roundTripClaims(view: ReportView): Claim[] {
  const { roundTrips } = PUBLISHED;
  const textOf = (value: number) => value.toFixed(2);
  const measured = (via: Via, instant: string) => growthOf(view, via, instant);
  const confirmed = measured('quic', 'confirmedMs');
  return [
    {
      claim: 'QUIC sets up a connection in one round trip: round trips found',
      textOf,
      timings: [
        { timed: `${TO_CONFIRMED}, all hosts`, published: roundTrips.quic, measured: confirmed },
        {
          timed: `${TO_CONFIRMED}, hosts that add little`,
          published: roundTrips.quicAtPlainHosts,
          measured: confirmed,
        },
        {
          timed: 'by QUIC until the client has all of the handshake',
          published: null,
          measured: measured('quic', 'completeMs'),
        },
        { timed: TO_MAY_SEND, published: null, measured: measured('quic', 'maySendMs') },
      ],
    },
    {
      claim: 'TLS 1.3 on TCP takes two round trips, TLS 1.2 three: round trips found',
      textOf,
      timings: [
        {
          timed: 'by TLS 1.3 until a request may leave',
          published: roundTrips.tls13,
          measured: measured('tls1.3', 'maySendMs'),
        },
        {
          timed: 'by TLS 1.2 until a request may leave',
          published: roundTrips.tls12,
          measured: measured('tls1.2', 'maySendMs'),
        },
      ],
    },
  ];
}

function leadClaim(view: ReportView): Claim {
  const { leadMs } = PUBLISHED;
  const condition = view.conditions.find(({ network }) => network.rttMs === LEAD_RTT_MS);
  const lead = (instant: string) => (condition ? leadOf(view, condition, instant) : null);
  return {
    claim: `QUIC is ready about 10 ms sooner than TLS 1.3 from one machine, about 2 ms from another: by how much sooner, ${LEAD_RTT_MS} ms away`,
    textOf: (value) => `${value.toFixed(1).replace('-', '−')} ms`,
    timings: [
      {
        timed: `${TO_CONFIRMED}, from emilia`,
        published: leadMs.emilia,
        measured: lead('confirmedMs'),
      },
      {
        timed: `${TO_CONFIRMED}, from vmott17`,
        published: leadMs.vmott17,
        measured: lead('confirmedMs'),
      },
      { timed: TO_MAY_SEND, published: null, measured: lead('maySendMs') },
    ],
  };
}

/** The round trips that an arm waits for until an instant. */
function growthOf(view: ReportView, via: Via, instant: string): Estimate | null {
  const arm = armBy(view, via);
  return arm === null ? null : (growthIn(view, { arm, reading: instant })?.roundTrips ?? null);
}

/** By how much an instant of QUIC comes before TLS 1.3 may send, in ms. */
function leadOf(view: ReportView, condition: ConditionView, instant: string): Estimate | null {
  const [quic, tls13] = [armBy(view, 'quic'), armBy(view, 'tls1.3')];
  if (quic === null || tls13 === null) return null;
  return differenceIn(
    view,
    condition,
    { arm: tls13, reading: 'maySendMs' },
    { arm: quic, reading: instant },
  );
}

import { html } from '../../kit/page/markup.ts';
import { type Estimate, signed } from '../../kit/text/estimate.ts';
import { counted, decimalText, millisecondsText } from '../../kit/text/number.ts';
import { type Claim, claimsSection, type Timing } from '../../report/sections/claims.ts';
import { growthIn } from '../../report/sections/readings.ts';
import type { ReportView } from '../../report/sections/view.ts';
import { armBy, differenceIn } from '../arms.ts';
import {
  MORE_ROUND_TRIPS,
  type PublishedLag,
  publishedConnectionLag,
  publishedFirstByteLag,
} from './published.ts';

/** Panda's three kinds of connections, beside those of a run that makes them to the same hosts. */
export const connectionsSection = claimsSection({
  id: 'panda-connect',
  study: 'Panda 2019',
  presets: ['panda-connect'],
  about: () => {
    const { neededRttMs } = publishedConnectionLag('all');
    return html`<p>The study set up connections by Google QUIC, TLS 1.2 and TLS 1.3, and TLS 1.3 came last. A full handshake by TLS 1.3 waits for one round trip more than one by QUIC, by TLS 1.2 for
two: from the published medians a round trip would take ${decimalText(neededRttMs['tls1.2'], 1)} ms by the one and ${decimalText(neededRttMs['tls1.3'], 1)} ms by the other. The hosts were not the same, then:
in 2019 few had TLS 1.3. Here all three ask the same hosts, in the same blocks.</p>`;
  },
  claims: claimsOf,
});

/** The arms of the three ways. */
type Arms = Readonly<Record<'quic' | 'tls1.3' | 'tls1.2', string>>;

/** None without all three ways of connecting. */
function claimsOf(view: ReportView): Claim[] {
  const quic = armBy(view, 'quic');
  const [tls13, tls12] = [armBy(view, 'tls1.3'), armBy(view, 'tls1.2')];
  if (quic === null || tls13 === null || tls12 === null) return [];
  const arms: Arms = { quic, 'tls1.3': tls13, 'tls1.2': tls12 };
  const connection = publishedConnectionLag('all');
  const firstByte = publishedFirstByteLag();
  return [
    behindClaim(view, arms, {
      claim: 'TLS 1.3 connects later than TLS 1.2 (medians of the connection time)',
      instant: 'maySendMs',
      published: connection,
    }),
    behindClaim(view, arms, {
      claim: 'TLS 1.3 has its first byte later than TLS 1.2 (medians)',
      instant: 'firstByteMs',
      published: firstByte,
    }),
    rttClaim(view, arms, {
      claim: 'What a round trip takes, if the lead of connections by QUIC is round trips',
      instant: 'maySendMs',
      published: connection,
    }),
    rttClaim(view, arms, {
      claim: 'The same by the first byte',
      instant: 'firstByteMs',
      published: firstByte,
    }),
    roundTripsClaim(view, arms),
  ];
}

interface AboutInstant {
  claim: string;
  /** The metric that ends there. */
  instant: 'maySendMs' | 'firstByteMs';
  published: PublishedLag;
}

/** By how much TLS 1.3 is behind TLS 1.2. */
function behindClaim(
  view: ReportView,
  arms: Arms,
  { claim, instant: reading, published: { behindMs } }: AboutInstant,
): Claim {
  const [late, early] = [
    { arm: arms['tls1.3'], reading },
    { arm: arms['tls1.2'], reading },
  ];
  return {
    claim: `${claim}. Less than 0: sooner.`,
    textOf: (ms) => signed(ms, (size) => `${millisecondsText(size)} ms`),
    timings: [
      {
        timed: 'as published: each on the hosts that have it',
        published: behindMs['tls1.3'] - behindMs['tls1.2'],
        measured: null,
      },
      ...view.conditions.map(
        (condition): Timing => ({
          timed: `on the same hosts, ${condition.network.rttMs} ms added`,
          published: null,
          measured: differenceIn(view, condition, late, early),
        }),
      ),
    ],
  };
}

/** What a round trip would take by the lead over either version of TLS: on the same hosts, it is one number. */
function rttClaim(
  view: ReportView,
  arms: Arms,
  { claim, instant: reading, published: { neededRttMs } }: AboutInstant,
): Claim {
  const [longest] = view.conditions.toSorted((a, b) => b.network.rttMs - a.network.rttMs);
  const leadOver = (tls: 'tls1.2' | 'tls1.3') =>
    longest
      ? differenceIn(view, longest, { arm: arms[tls], reading }, { arm: arms.quic, reading })
      : null;
  return {
    claim: `${claim}.${longest ? ` Measured here with ${longest.network.rttMs} ms added.` : ''}`,
    textOf: (ms) => `${millisecondsText(ms)} ms`,
    timings: (['tls1.2', 'tls1.3'] as const).map((tls) => ({
      timed: `by the lead over ${NAMES[tls]}, ${counted(MORE_ROUND_TRIPS[tls], 'round trip')}`,
      published: neededRttMs[tls],
      measured: divided(leadOver(tls), MORE_ROUND_TRIPS[tls]),
    })),
  };
}

const NAMES = { quic: 'QUIC', 'tls1.3': 'TLS 1.3', 'tls1.2': 'TLS 1.2' } as const;

const UNTIL = { maySendMs: 'until a request may leave', firstByteMs: 'until the first byte' };

function roundTripsClaim(view: ReportView, arms: Arms): Claim {
  return {
    claim: 'The round trips that each waits for, on the same hosts',
    textOf: (count) => `${count.toFixed(2)} RTT`,
    timings: Object.entries(UNTIL).flatMap(([reading, until]) =>
      (['quic', 'tls1.3', 'tls1.2'] as const).map((via) => ({
        timed: `${NAMES[via]}, ${until}`,
        published: null,
        measured: growthIn(view, { arm: arms[via], reading })?.roundTrips ?? null,
      })),
    ),
  };
}

function divided(estimate: Estimate | null, by: number): Estimate | null {
  if (estimate === null) return null;
  const part = (value: number | null) => (value === null ? null : value / by);
  return { estimate: estimate.estimate / by, low: part(estimate.low), high: part(estimate.high) };
}

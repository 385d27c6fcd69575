import { html } from '../../kit/page/markup.ts';
import { withSign } from '../../kit/text/estimate.ts';
import { countWithNoun, decimalText, millisecondsText } from '../../kit/text/number.ts';
import { type Claim, claimsSection } from '../claims.ts';
import { armBy, comparePairs, type Measure, roundTrips } from '../measures.ts';
import { MORE_ROUND_TRIPS, publishedConnectionLag, publishedFirstByteLag } from './published.ts';

const ARMS = {
  quic: armBy('quic'),
  'tls1.3': armBy('tls1.3'),
  'tls1.2': armBy('tls1.2'),
} as const;

const NAMES = { quic: 'QUIC', 'tls1.3': 'TLS 1.3', 'tls1.2': 'TLS 1.2' } as const;

/** Metrics of the claims, with their published values. */
const TIMES = [
  {
    reading: 'maySendMs',
    until: 'until a request may leave',
    published: () => publishedConnectionLag('all'),
    behind: 'TLS 1.3 connects later than TLS 1.2 (medians of the connection time)',
    rtt: 'Round-trip time that would explain QUIC’s lead in connections',
  },
  {
    reading: 'firstByteMs',
    until: 'until the first byte',
    published: publishedFirstByteLag,
    behind: 'TLS 1.3 has its first byte later than TLS 1.2 (medians)',
    rtt: 'Round-trip time that would explain QUIC’s lead to the first byte',
  },
] as const;

type Time = (typeof TIMES)[number];

const longest: Claim['at'] = ({ conditions }) =>
  conditions.toSorted((a, b) => b.network.rttMs - a.network.rttMs)[0] ?? null;

function divideMeasure(measure: Measure, by: number): Measure {
  const part = (value: number | null) => (value === null ? null : value / by);
  return (view, condition) => {
    const whole = measure(view, condition);
    return whole && { estimate: whole.estimate / by, low: part(whole.low), high: part(whole.high) };
  };
}

function behindClaim({ reading, published, behind }: Time): Claim {
  const { behindMs } = published();
  return {
    claim: `${behind}. Less than 0: sooner.`,
    textOf: (ms) => withSign(ms, (size) => `${millisecondsText(size)} ms`),
    timings: [
      {
        timed: 'as published: each on the hosts that have it',
        published: behindMs['tls1.3'] - behindMs['tls1.2'],
      },
      {
        timed: 'on the same hosts',
        measured: comparePairs('difference', [ARMS['tls1.3'], reading], [ARMS['tls1.2'], reading]),
        isOfEach: true,
      },
    ],
  };
}

/** QUIC's lead over each TLS version, divided by its extra round trips; equal if the hosts are the same. */
function rttClaim({ reading, published, rtt }: Time): Claim {
  const { neededRttMs } = published();
  return {
    claim: `${rtt}.`,
    textOf: (ms) => `${millisecondsText(ms)} ms`,
    at: longest,
    saysDelay: true,
    timings: (['tls1.2', 'tls1.3'] as const).map((tls) => ({
      timed: `by the lead over ${NAMES[tls]}, ${countWithNoun(MORE_ROUND_TRIPS[tls], 'round trip')}`,
      published: neededRttMs[tls],
      measured: divideMeasure(
        comparePairs('difference', [ARMS[tls], reading], [ARMS.quic, reading]),
        MORE_ROUND_TRIPS[tls],
      ),
    })),
  };
}

const ROUND_TRIPS: Claim = {
  claim: 'Round trips of each, on the same hosts',
  textOf: (count) => `${count.toFixed(2)} RTT`,
  timings: TIMES.flatMap(({ reading, until }) =>
    (['quic', 'tls1.3', 'tls1.2'] as const).map((transport) => ({
      timed: `${NAMES[transport]}, ${until}`,
      measured: roundTrips([ARMS[transport], reading]),
    })),
  ),
};

/** Panda's three kinds of connections, made to the same hosts. */
export const connectionsSection = claimsSection({
  id: 'panda-connect',
  study: 'Panda 2019',
  presets: ['panda-connect'],
  about: () => {
    const { neededRttMs } = publishedConnectionLag('all');
    return html`<p>The study set up connections by Google QUIC, TLS 1.2 and TLS 1.3, and TLS 1.3 was slowest. A full handshake of TLS 1.3 takes one round trip more than one of QUIC, a handshake of TLS 1.2
two: the published medians imply a round trip of ${decimalText(neededRttMs['tls1.2'], 1)} ms by TLS 1.2 and ${decimalText(neededRttMs['tls1.3'], 1)} ms by TLS 1.3. So the hosts were not the same:
in 2019 few had TLS 1.3. Here all three connect to the same hosts, in the same blocks.</p>`;
  },
  needs: Object.values(ARMS),
  claims: () => [...TIMES.map(behindClaim), ...TIMES.map(rttClaim), ROUND_TRIPS],
});

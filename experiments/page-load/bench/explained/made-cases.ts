import type { ArmSettings } from '../../../../ground/records/run.ts';

/** A page load that a known change makes slower, and by how much. */
export interface MadeCase {
  stack: string;
  site: string;
  rttMs: number;
  /** Settings of a second arm of the same stack. */
  settings: ArmSettings;
  /** Time that each setting costs, in ms, by the name of its part. */
  costsMs: Readonly<Record<string, number>>;
}

/** One image of 30 kB fits into an initial window of 32 packets, and needs a second round trip with 10. */
const SITE = 'objects-1x30kB';
/** The document and its image wait one after the other. */
const RESPONSES = 2;
const DELAY_MS = 20;

interface Injected {
  settings: ArmSettings;
  costsMs: Record<string, number>;
}

function injected(rttMs: number) {
  return {
    delay: {
      settings: { responseDelayMs: DELAY_MS },
      costsMs: { response: RESPONSES * DELAY_MS },
    },
    window: { settings: { initialWindowSegments: 10 }, costsMs: { 'initial-window': rttMs } },
    handshake: {
      settings: { handshake: 'one round trip more' },
      costsMs: { handshake: rttMs },
    },
  } satisfies Record<string, Injected>;
}

type Kind = keyof ReturnType<typeof injected>;
type Kinds = readonly [rttMs: number, ...kinds: Kind[]];

const OVER_TCP: readonly Kinds[] = [
  [30, 'delay'],
  [60, 'window'],
  [30, 'handshake'],
  [60, 'delay', 'handshake'],
  [30, 'delay', 'window', 'handshake'],
];

/** These pace their packets, so that the cost of a small window depends on their pace. */
const OVER_QUIC: readonly Kinds[] = [
  [30, 'delay'],
  [100, 'delay'],
  [30, 'handshake'],
  [60, 'delay', 'handshake'],
  [100, 'handshake'],
];

const KINDS: readonly (readonly [stack: string, kinds: readonly Kinds[]])[] = [
  ['lsquic-h3', OVER_QUIC],
  ['bun-h2', OVER_TCP],
  ['quic-go-h3', OVER_QUIC],
  ['go-h2', OVER_TCP],
];

/** Twenty cases: a server that waits, an initial window of 10 packets, a held round trip, and these together. */
export const MADE_CASES: readonly MadeCase[] = KINDS.flatMap(([stack, ofStack]) =>
  ofStack.map(([rttMs, ...kinds]): MadeCase => {
    const made = kinds.map((kind): Injected => injected(rttMs)[kind]);
    return {
      stack,
      site: SITE,
      rttMs,
      settings: Object.assign({}, ...made.map(({ settings }) => settings)),
      costsMs: Object.assign({}, ...made.map(({ costsMs }) => costsMs)),
    };
  }),
);

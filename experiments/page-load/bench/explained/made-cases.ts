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

function injectedInto(stack: string, rttMs: number) {
  const window: ArmSettings = stack.endsWith('-h3')
    ? { countedWindowPackets: 10 }
    : { initialWindowSegments: 10 };
  return {
    delay: {
      settings: { responseDelayMs: DELAY_MS },
      costsMs: { response: RESPONSES * DELAY_MS },
    },
    window: { settings: window, costsMs: { 'initial-window': rttMs } },
    handshake: {
      settings: { handshake: 'one round trip more' },
      costsMs: { handshake: rttMs },
    },
  } satisfies Record<string, Injected>;
}

type Kind = keyof ReturnType<typeof injectedInto>;

const KINDS: readonly (readonly [rttMs: number, ...kinds: Kind[]])[] = [
  [30, 'delay'],
  [60, 'window'],
  [30, 'handshake'],
  [60, 'delay', 'handshake'],
  [30, 'delay', 'window', 'handshake'],
];

const STACKS = ['lsquic-h3', 'bun-h2', 'quic-go-h3', 'go-h2'];

/** Twenty cases: a server that waits, an initial window of 10 packets, a held round trip, and these together. */
export const MADE_CASES: readonly MadeCase[] = STACKS.flatMap((stack) =>
  KINDS.map(([rttMs, ...kinds]): MadeCase => {
    const injected = kinds.map((kind): Injected => injectedInto(stack, rttMs)[kind]);
    return {
      stack,
      site: SITE,
      rttMs,
      settings: Object.assign({}, ...injected.map(({ settings }) => settings)),
      costsMs: Object.assign({}, ...injected.map(({ costsMs }) => costsMs)),
    };
  }),
);

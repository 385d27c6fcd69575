import { bun } from '../../../ground/runtimes/bun.ts';
import type { Runtime } from '../../../ground/runtimes/runtime.ts';
import type { Stack } from '../../../ground/stack.ts';
import { STACKS } from '../../../servers/index.ts';

/** A runtime that set-up installs on demand. */
export const MADE_UP_RUNTIME = {
  ...bun,
  name: 'made-up',
  title: 'Made up',
  program: '/none/made-up',
  onDemand: true,
  versionsText: ({ made }) => `made-up ${made}`,
  install: {
    title: 'making it up',
    madeFrom: ['package.json'],
    needs: {
      program: 'maker',
      versionArg: ['version'],
      isEnough: (answer) => answer.endsWith(' 2'),
      remedy: 'maker 2 or newer is needed',
    },
    run: async () => null,
  },
} satisfies Runtime;

const madeUp = { byDefault: false, runtime: MADE_UP_RUNTIME, note: 'Made up for tests.' } as const;

export const MADE_UP_H1: Stack = {
  ...madeUp,
  stack: 'made-up-h1',
  label: 'Made up (http/1.1)',
  protocol: 'http/1.1',
  sendsAsSaved: true,
};

export const MADE_UP_H2: Stack = {
  ...madeUp,
  stack: 'made-up-h2',
  label: 'Made up (h2)',
  protocol: 'h2',
  responseOrders: { h2: 'interleaved' },
};

/** Its initial window and congestion control differ from those of the default QUIC stack. */
export const MADE_UP_H3: Stack = {
  ...madeUp,
  stack: 'made-up-h3',
  label: 'Made up (h3)',
  protocol: 'h3',
  tcpTwin: MADE_UP_H2,
  responseOrders: { h3: 'by priority' },
  transport: {
    congestionControls: ['cubic', 'reno'],
    initialWindowPackets: 10,
    initialWindowPacketBytes: 1280,
    senders: {},
    reportsSamples: false,
  },
};

export const MADE_UP_DUAL: Stack = {
  ...MADE_UP_H3,
  stack: 'made-up-dual',
  label: 'Made up (h2 + h3)',
  protocol: 'h2+h3',
  responseOrders: { ...MADE_UP_H3.responseOrders, ...MADE_UP_H2.responseOrders },
};

const MADE_UP_STACKS: readonly Stack[] = [MADE_UP_H1, MADE_UP_H2, MADE_UP_H3, MADE_UP_DUAL];

/** The same experiment, which measures made-up stacks too. */
export function withMadeUpStacks<T extends { stacks?: readonly Stack[] }>(experiment: T): T {
  return { ...experiment, stacks: [...STACKS, ...MADE_UP_STACKS] };
}

/** The same experiment, with a made-up stack in place of each of these that this version lacks. */
export function withStandIns<T extends { stacks?: readonly Stack[] }>(
  experiment: T,
  names: readonly string[],
): T {
  const absent = names.filter((name) => STACKS.every(({ stack }) => stack !== name));
  const standIns = absent.map((stack) => ({ ...MADE_UP_H1, stack }));
  return { ...experiment, stacks: [...STACKS, ...standIns] };
}

import type { Runtime } from '../ground/runtimes/runtime.ts';
import type { QuicTransport, Stack } from '../ground/stack.ts';
import { bunDual } from './bun-dual/stack.ts';
import { bunH1 } from './bun-h1/stack.ts';
import { bunH2 } from './bun-h2/stack.ts';
import { caddyStacks } from './caddy/stack.ts';
import { envoyStacks } from './envoy/stack.ts';
import { flaskDevStacks } from './flask-dev/stack.ts';
import { flaskH1 } from './flask-h1/stack.ts';
import { goStacks } from './go/stack.ts';
import { hypercornStacks } from './hypercorn/stack.ts';
import { lsquicH3 } from './lsquic-h3/stack.ts';

/** Every stack that serves pages, in the order of tables. */
export const STACKS: readonly Stack[] = [
  // The default stacks of a run.
  lsquicH3,
  bunH2,
  flaskH1,
  bunH1,
  ...flaskDevStacks,
  bunDual,
  ...goStacks,
  ...hypercornStacks,
  ...caddyStacks,
  ...envoyStacks,
];

/** Their runtimes, without duplicates. */
export const RUNTIMES: readonly Runtime[] = [
  ...new Set(STACKS.flatMap(({ runtime }) => runtime ?? [])),
];

/** Default baseline: HTTP/2 is the usual protocol of a site that considers HTTP/3. */
export const DEFAULT_BASELINE: Stack = bunH2;

/** The pair for the project's question: one server program over both transports. */
export const PROTOCOL_PAIR: readonly [quic: Stack, tcp: Stack] = [lsquicH3, lsquicH3.tcpTwin];

/** The transport to which TCP is matched by default. */
export const MATCHED_TRANSPORT: QuicTransport = lsquicH3.transport;

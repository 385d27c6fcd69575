import { socketQuic, socketTcp, socketTls } from '../experiments/sockets/servers/stack.ts';
import type { Stack, Transport } from '../ground/stack.ts';
import { bunDual } from './bun-dual/stack.ts';
import { bunH1 } from './bun-h1/stack.ts';
import { bunH2 } from './bun-h2/stack.ts';
import { flaskDev, flaskDevH1 } from './flask-dev/stack.ts';
import { flaskH1 } from './flask-h1/stack.ts';
import { goDual, goH1, goH2, quicGoH3 } from './go/stack.ts';
import { hypercornDual, hypercornH1, hypercornH2, hypercornH3 } from './hypercorn/stack.ts';
import { lsquicH3 } from './lsquic-h3/stack.ts';
import { isOwnPair } from './own-stack.ts';

/** Every stack that pages can be asked of, in the order of tables. */
export const STACKS: readonly Stack[] = [
  // First those of a run that names none.
  lsquicH3,
  bunH2,
  flaskH1,
  bunH1,
  flaskDev,
  flaskDevH1,
  bunDual,
  quicGoH3,
  goH2,
  goH1,
  goDual,
  hypercornH3,
  hypercornH2,
  hypercornH1,
  hypercornDual,
];

/** Stacks without HTTP, which no page is asked of. */
export const SOCKET_STACKS: readonly Stack[] = [socketQuic, socketTls, socketTcp];

/** Every stack that there is. */
export const ALL_STACKS: readonly Stack[] = [...STACKS, ...SOCKET_STACKS];

/** What the others are compared with by default: HTTP/2 is what a site has that considers HTTP/3. */
export const DEFAULT_BASELINE: Stack = bunH2;

/** The pair that answers the project's question: one server program over both transports. */
export const PROTOCOL_PAIR: readonly [quic: Stack, tcp: Stack] = [lsquicH3, lsquicH3.tcpTwin];

/** What TCP is matched to by default. */
export const MATCHED_TRANSPORT: Transport = lsquicH3.transport;

/** The stack of a name; undefined: this version has none, as of a run that another version made. */
export function stackNamed(name: string): Stack | undefined {
  return ALL_STACKS.find(({ stack }) => stack === name);
}

/** Whether two stacks are such a pair, whatever a run's fairness says of them. */
export function isProtocolPair(a: string, b: string): boolean {
  return isTwins(a, b) || isTwins(b, a);
}

/** What a stack of this project is not, the user has named. */
function isTwins(quic: string, tcp: string): boolean {
  const known = stackNamed(quic);
  return known ? known.tcpTwin?.stack === tcp : isOwnPair(quic, tcp);
}

import type { PlannedArm } from '../records/run.ts';

/**
 * The two stacks that are meant to differ in the protocol alone. What they really differ in was read in each run, and
 * stands in the summary's `fairness`.
 */
export const LIKE_FOR_LIKE: readonly [quic: string, tcp: string] = ['lsquic-h3', 'bun-h2'];

/** What the reader has to know about a stack before comparing it; a stack without a note is shown without one. */
export const STACK_NOTES: Record<string, string> = {
  'lsquic-h3':
    'HTTP/3 over QUIC: lsquic inside a Bun program. QUIC runs in the program itself, over UDP.',
  'bun-h2':
    'HTTP/2 over TLS and TCP, from the same Bun program with the same handler. TCP runs in the kernel.',
  'bun-h1':
    'HTTP/1.1 with keep-alive over TLS and TCP, from the same Bun program with the same handler. TCP runs in the kernel.',
  'flask-h1':
    'HTTP/1.1 with keep-alive over TLS and TCP: Flask under gunicorn, a Python program. It differs from the others in the server program and in the protocol.',
  'flask-dev':
    'HTTP/1.0 over TLS and TCP: Flask under its own development server, which is not meant for more than trying things out. A new connection with a full handshake for every request.',
  'flask-dev-h1': 'The same development server with HTTP/1.1, which keeps its connections open.',
};

/** The like-for-like pair, where the run has both of its stacks. */
export function likeForLikeOf(
  arms: readonly PlannedArm[],
): [quic: PlannedArm, tcp: PlannedArm] | null {
  const [quic, tcp] = LIKE_FOR_LIKE.map((name) => arms.find(({ arm }) => arm === name));
  return quic && tcp ? [quic, tcp] : null;
}

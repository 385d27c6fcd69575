// Run by Bun: gets the resource of the BodyRequest on stdin (JSON) and prints its body; the last line of stderr is the BodyResult.

import { NO_FACTS } from '../../ground/records/connection-attempt.ts';
import { LINE_BYTES, textLines } from '../../ground/system/bounded-lines.ts';
import type { BodyRequest, BodyResult } from '../getter.ts';
import { connect } from './connect.ts';
import { ConnectionFailure } from './failure.ts';
import { type Examination, NO_TIMES } from './pending-connection.ts';
import { untilUdpRefused } from './udp-refusal.ts';
import { warmUp } from './warm-up.ts';

async function get({ alpn, path, fields, ...target }: BodyRequest): Promise<BodyResult> {
  const request = { ...target, resumption: 'none', awaitsTicket: false, localPort: null } as const;
  let receivedBytes = 0;
  let written = Promise.resolve();
  const found: Examination = {
    alpn: [alpn],
    fields,
    certificates: [],
    headers: [],
    take(piece) {
      receivedBytes += piece.length;
      written = new Promise((resolve, reject) => {
        process.stdout.write(piece, (error) => (error ? reject(error) : resolve()));
      });
      return written;
    },
  };
  const connecting = connect({ ...request, request: { path } }, found);
  const refused =
    request.transport === 'quic' ? untilUdpRefused(request.address) : new Promise<never>(() => {});
  const { keyLog: _, ...result } = await Promise.race([connecting, refused]).catch((error) => {
    if (!(error instanceof ConnectionFailure)) throw error;
    return { ...NO_TIMES, facts: NO_FACTS, error: error.failure, keyLog: '' };
  });
  if (result.error?.code === 'closed' && result.maySendMs === null) {
    // QUIC does not report a rejected certificate; a connection without a request can examine it.
    const { error, facts } = await connect({ ...request, request: null });
    if (error?.layer === 'tls') Object.assign(result, { error, facts });
  }
  // The response may end before its last piece is written.
  await written;
  return { ...result, headers: found.headers, receivedBytes };
}

// Unhandled library errors must not end the program: the request reports its failure or times out.
process.on('unhandledRejection', (error) => console.error(error));
process.on('uncaughtException', (error) => console.error(error));

await warmUp(connect);
for await (const line of textLines(process.stdin, { maxBytes: LINE_BYTES.own })) {
  const body = await get(JSON.parse(line) as BodyRequest);
  await new Promise((resolve) => process.stderr.write(`\n${JSON.stringify(body)}\n`, resolve));
  process.exit(0);
}

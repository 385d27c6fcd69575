// Run by Bun: gets what the line of JSON on stdin asks for, an AskedBody, prints its body, and says on stderr what became of it, a BodyGot.

import { NO_FACTS } from '../../ground/records/connection-attempt.ts';
import { LINE_BYTES, textLines } from '../../ground/system/bounded-lines.ts';
import type { BodyRequest, BodyResult } from '../getter.ts';
import { connect } from './connect.ts';
import { ConnectionFailure } from './failure.ts';
import { type Examination, NO_INSTANTS } from './pending-connection.ts';
import { untilUdpRefused } from './udp-refusal.ts';
import { warmUp } from './warm-up.ts';

async function get({ alpn, path, fields, ...place }: BodyRequest): Promise<BodyResult> {
  const asked = { ...place, resumption: 'none', awaitsTicket: false, localPort: null } as const;
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
  const connecting = connect({ ...asked, request: { path } }, found);
  const refused =
    asked.via === 'quic' ? untilUdpRefused(asked.address) : new Promise<never>(() => {});
  const { keyLog: _, ...made } = await Promise.race([connecting, refused]).catch((error) => {
    if (!(error instanceof ConnectionFailure)) throw error;
    return { ...NO_INSTANTS, facts: NO_FACTS, error: error.failure, keyLog: '' };
  });
  if (made.error?.code === 'closed' && made.maySendMs === null) {
    // By QUIC a certificate that is refused is not told of: without a request it can be looked at.
    const { error, facts } = await connect({ ...asked, request: null });
    if (error?.layer === 'tls') Object.assign(made, { error, facts });
  }
  // An answer may be whole before all of it was taken.
  await written;
  return { ...made, headers: found.headers, receivedBytes };
}

// What libraries throw where nobody waits for it is no end of the program: what was got tells it, or its time is over.
process.on('unhandledRejection', (error) => console.error(error));
process.on('uncaughtException', (error) => console.error(error));

await warmUp(connect);
for await (const line of textLines(process.stdin, { maxBytes: LINE_BYTES.own })) {
  const body = await get(JSON.parse(line) as BodyRequest);
  await new Promise((resolve) => process.stderr.write(`\n${JSON.stringify(body)}\n`, resolve));
  process.exit(0);
}

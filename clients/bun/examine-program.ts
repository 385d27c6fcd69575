// Run by Bun: asks for one resource for each line of JSON on stdin, an AskedResource, and prints a ResourceFound for it, a line of JSON too.
import { createInterface } from 'node:readline';
import type { AskedResource, ResourceFound } from '../examiner.ts';
import { connect } from './connecting.ts';
import type { Examination } from './making.ts';

/** Content codings that a browser takes. */
const ACCEPTED_CODINGS = 'gzip, deflate, br, zstd';

async function examine({ protocol, path, ...asked }: AskedResource): Promise<ResourceFound> {
  const body: Uint8Array[] = [];
  const found: Examination = {
    // What Chromium offers, which is told to speak HTTP/1.1 alone by its flags.
    alpn: protocol === 'h2' ? ['h2', 'http/1.1'] : ['http/1.1'],
    fields: { 'accept-encoding': ACCEPTED_CODINGS },
    certificates: [],
    headers: [],
    take: (piece) => void body.push(piece),
  };
  const { facts, error } = await connect(
    {
      ...asked,
      resumption: 'none',
      // Only that tells the whole chain of certificates.
      awaitsTicket: asked.via === 'quic',
      request: { path },
      localPort: null,
      trust: null,
    },
    found,
  );
  return {
    error,
    alpn: facts.alpn,
    certificates: found.certificates.map((each) => each.toString('base64')),
    isChainWhole: facts.certificateChainBytes !== null,
    status: facts.status,
    headers: found.headers,
    bodyBase64: Buffer.concat(body).toString('base64'),
  };
}

// What libraries throw where nobody waits for it is no end of the program: what was found tells it, or its time is over.
process.on('unhandledRejection', (error) => console.error(error));
process.on('uncaughtException', (error) => console.error(error));

for await (const line of createInterface(process.stdin)) {
  process.stdout.write(`${JSON.stringify(await examine(JSON.parse(line) as AskedResource))}\n`);
}
process.exit(0);

// Run by Bun: asks for one resource for each line of JSON on stdin, an AskedResource, and prints a ResourceFound for it, a line of JSON too.
import { BoundedBuffer, bytesText, TooLargeError } from '../../ground/system/bounded-buffer.ts';
import { LINE_BYTES, textLines } from '../../ground/system/bounded-lines.ts';
import type { ResourceRequest, ResourceResponse } from '../examiner.ts';
import { connect } from './connect.ts';
import { ConnectionFailure, failureOf } from './failure.ts';
import type { Examination } from './pending-connection.ts';

/** Content codings that a browser takes. */
const ACCEPTED_CODINGS = 'gzip, deflate, br, zstd';

async function examine({
  protocol,
  path,
  maxBodyBytes,
  ...asked
}: ResourceRequest): Promise<ResourceResponse> {
  const body = new BoundedBuffer(maxBodyBytes, 'the body');
  const found: Examination = {
    // What Chromium offers, which is told to speak HTTP/1.1 alone by its flags.
    alpn: protocol === 'h2' ? ['h2', 'http/1.1'] : ['http/1.1'],
    fields: { 'accept-encoding': ACCEPTED_CODINGS },
    certificates: [],
    headers: [],
    take(piece) {
      try {
        body.add(piece);
      } catch (error) {
        if (!(error instanceof TooLargeError)) throw error;
        const expected = `at most ${bytesText(maxBodyBytes)} in answer to GET ${path} of ${asked.host} from ${asked.address}`;
        throw new ConnectionFailure(failureOf({ layer: 'http', expected }, 'too-large', 'more'));
      }
    },
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
    bodyBase64: body.take().toString('base64'),
  };
}

// What libraries throw where nobody waits for it is no end of the program: what was found tells it, or its time is over.
process.on('unhandledRejection', (error) => console.error(error));
process.on('uncaughtException', (error) => console.error(error));

for await (const line of textLines(process.stdin, { maxBytes: LINE_BYTES.own })) {
  process.stdout.write(`${JSON.stringify(await examine(JSON.parse(line) as ResourceRequest))}\n`);
}
process.exit(0);

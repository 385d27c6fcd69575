// Run by Bun: requests a resource for each ResourceRequest on stdin and prints a ResourceResponse, one line of JSON each.
import { BoundedBuffer, bytesText, TooLargeError } from '../../ground/system/bounded-buffer.ts';
import { LINE_BYTES, textLines } from '../../ground/system/bounded-lines.ts';
import type { ResourceRequest, ResourceResponse } from '../examiner.ts';
import { connect } from './connect.ts';
import { ConnectionFailure, failureOf } from './failure.ts';
import type { Examination } from './pending-connection.ts';

const ACCEPTED_CODINGS = 'gzip, deflate, br, zstd';

async function examine({
  protocol,
  path,
  maxBodyBytes,
  countsBody = false,
  ...request
}: ResourceRequest): Promise<ResourceResponse> {
  const body = new BoundedBuffer(maxBodyBytes, 'the body');
  let bodyBytes = 0;
  const found: Examination = {
    // The offers of Chromium, whose flags disable HTTP/2 for HTTP/1.1.
    alpn: protocol === 'h2' ? ['h2', 'http/1.1'] : ['http/1.1'],
    fields: countsBody ? {} : { 'accept-encoding': ACCEPTED_CODINGS },
    certificates: [],
    headers: [],
    take(piece) {
      bodyBytes += piece.length;
      try {
        if (!countsBody) body.add(piece);
        else if (bodyBytes > maxBodyBytes) throw new TooLargeError('the body', maxBodyBytes);
      } catch (error) {
        if (!(error instanceof TooLargeError)) throw error;
        const expected = `a response of at most ${bytesText(maxBodyBytes)} to GET ${path} of ${request.host} from ${request.address}`;
        throw new ConnectionFailure(failureOf({ layer: 'http', expected }, 'too-large', 'more'));
      }
    },
  };
  const { facts, error } = await connect(
    {
      ...request,
      resumption: 'none',
      // Only a QUIC ticket has the whole certificate chain.
      awaitsTicket: request.transport === 'quic',
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
    bodyBytes,
  };
}

// Unhandled library errors must not end the program: the examination reports its failure or times out.
process.on('unhandledRejection', (error) => console.error(error));
process.on('uncaughtException', (error) => console.error(error));

for await (const line of textLines(process.stdin, { maxBytes: LINE_BYTES.own })) {
  process.stdout.write(`${JSON.stringify(await examine(JSON.parse(line) as ResourceRequest))}\n`);
}
process.exit(0);

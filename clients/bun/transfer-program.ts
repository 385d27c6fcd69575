// Run by Bun: carries out a transfer for each line of JSON on stdin, a TransferInParts, and prints a TransferMade for it, a line of JSON too.
import { LINE_BYTES, textLines } from '../../ground/system/bounded-lines.ts';
import type { TransferInParts } from '../transfer-parts.ts';
import { transferByHttp1 } from './transfer-http1.ts';
import { transferByHttp2 } from './transfer-http2.ts';
import { transferByHttp3 } from './transfer-http3.ts';
import { Transferring } from './transferring.ts';

const WAYS = {
  h3: transferByHttp3,
  h2: transferByHttp2,
  'http/1.1': transferByHttp1,
  'http/1.0': transferByHttp1,
} as const;

for await (const line of textLines(process.stdin, { maxBytes: LINE_BYTES.own })) {
  const asked = JSON.parse(line) as TransferInParts;
  const transfer = WAYS[asked.protocol as keyof typeof WAYS];
  const transferring = new Transferring(asked);
  const { done, close, transport } = transfer(transferring);
  const made = await transferring.made(done);
  await close();
  process.stdout.write(`${JSON.stringify({ ...made, transport: transport?.taken() })}\n`);
}
process.exit(0);

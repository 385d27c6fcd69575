// Run by Bun: carries out a transfer for each SplitTransferRequest on stdin and prints a TransferResult, one line of JSON each.
import { LINE_BYTES, textLines } from '../../ground/system/bounded-lines.ts';
import type { SplitTransferRequest } from '../transfer-parts.ts';
import { PendingTransfer } from './pending-transfer.ts';
import { transferByHttp1 } from './transfer-http1.ts';
import { transferByHttp2 } from './transfer-http2.ts';
import { transferByHttp3 } from './transfer-http3.ts';
import { transferBySockets, transferByStreams } from './transfer-plain.ts';

const TRANSFER_BY_PROTOCOL = {
  h3: transferByHttp3,
  h2: transferByHttp2,
  'http/1.1': transferByHttp1,
  'http/1.0': transferByHttp1,
  quic: transferByStreams,
  tls: transferBySockets,
  tcp: transferBySockets,
} as const;

for await (const line of textLines(process.stdin, { maxBytes: LINE_BYTES.own })) {
  const request = JSON.parse(line) as SplitTransferRequest;
  const transfer = TRANSFER_BY_PROTOCOL[request.protocol as keyof typeof TRANSFER_BY_PROTOCOL];
  const pending = new PendingTransfer(request);
  const { done, close, transport } = transfer(pending);
  const result = await pending.run(done);
  await close();
  process.stdout.write(`${JSON.stringify({ ...result, transport: transport?.taken() })}\n`);
}
process.exit(0);

// Run by Bun: makes a connection for each ConnectionRequest on stdin and prints a ConnectionResult, one line of JSON each.
import { LINE_BYTES, textLines } from '../../ground/system/bounded-lines.ts';
import type { ConnectionRequest } from '../connector.ts';
import { connect } from './connect.ts';
import { warmUp } from './warm-up.ts';

// Unhandled library errors must not end the program: the connection reports its failure or times out.
process.on('unhandledRejection', (error) => console.error(error));
process.on('uncaughtException', (error) => console.error(error));

await warmUp(connect);
for await (const line of textLines(process.stdin, { maxBytes: LINE_BYTES.own })) {
  process.stdout.write(`${JSON.stringify(await connect(JSON.parse(line) as ConnectionRequest))}\n`);
}
process.exit(0);

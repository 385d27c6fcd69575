// Run by Bun: makes one connection for each line of JSON on stdin, an AskedConnection, and prints a ConnectionMade for it, a line of JSON too.
import { LINE_BYTES, textLines } from '../../ground/system/bounded-lines.ts';
import type { ConnectionRequest } from '../connector.ts';
import { connect } from './connect.ts';
import { warmUp } from './warm-up.ts';

// What libraries throw where nobody waits for it is no end of the program: the connection tells what became of it, or its time is over.
process.on('unhandledRejection', (error) => console.error(error));
process.on('uncaughtException', (error) => console.error(error));

await warmUp(connect);
for await (const line of textLines(process.stdin, { maxBytes: LINE_BYTES.own })) {
  process.stdout.write(`${JSON.stringify(await connect(JSON.parse(line) as ConnectionRequest))}\n`);
}
process.exit(0);

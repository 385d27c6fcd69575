// Run by Bun: makes one connection for each line of JSON on stdin, an AskedConnection, and prints a ConnectionMade for it, a line of JSON too.
import { createInterface } from 'node:readline';
import type { AskedConnection, ConnectionMade } from '../connector.ts';
import { failureOfError, timeoutFailure } from './failure.ts';
import { type Making, prepareMaking } from './making.ts';
import { connectQuic } from './quic.ts';
import { connectTcp } from './tcp.ts';
import { connectTls } from './tls.ts';
import { warmUp } from './warm-up.ts';

function make(making: Making): Promise<void> {
  const { via } = making.asked;
  switch (via) {
    case 'quic':
      return connectQuic(making);
    case 'tcp':
      return connectTcp(making);
    case 'tls1.3':
    case 'tls1.2':
      return connectTls(making, via);
  }
}

/** How long a way has to close what it opened, once the time is over. */
const CLOSE_MS = 800;

async function connect(asked: AskedConnection): Promise<ConnectionMade> {
  const making = prepareMaking(asked);
  const { instants, facts } = making;
  const stuck = Promise.withResolvers<'stuck'>();
  const timer = setTimeout(() => stuck.resolve('stuck'), asked.timeoutMs + CLOSE_MS);
  const ending = make(making).then(
    () => null,
    (error) => failureOfError(error, making.stage()),
  );
  const ended = await Promise.race([ending, stuck.promise]);
  clearTimeout(timer);
  making.end();
  const error = ended === 'stuck' ? timeoutFailure(making.stage(), asked.timeoutMs) : ended;
  return { ...instants, facts, error, keyLog: making.keyLog() };
}

// What libraries throw where nobody waits for it is no end of the program: the connection tells what became of it, or its time is over.
process.on('unhandledRejection', (error) => console.error(error));
process.on('uncaughtException', (error) => console.error(error));

await warmUp(connect);
for await (const line of createInterface(process.stdin)) {
  process.stdout.write(`${JSON.stringify(await connect(JSON.parse(line) as AskedConnection))}\n`);
}
process.exit(0);

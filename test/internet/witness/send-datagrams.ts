// Run on the client's machine: sends a datagram to port 443 of each address of stdin, and prints
// the results as a line of JSON.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

const PORT = 443;
const WAIT_MS = 4_000;

async function send(address: string): Promise<string> {
  const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
  try {
    socket.connect(PORT, address);
    await once(socket, 'connect');
    const answer = once(socket, 'message').then(
      () => 'answer',
      (error: NodeJS.ErrnoException) => error.code ?? error.message,
    );
    socket.send('a datagram that is not of QUIC');
    return await Promise.race([answer, sleep(WAIT_MS, 'silence')]);
  } finally {
    socket.close();
  }
}

const addresses = JSON.parse(await text(process.stdin)) as string[];
console.log(JSON.stringify(await Promise.all(addresses.map(send))));

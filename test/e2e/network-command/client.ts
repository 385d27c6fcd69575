import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

// Prints what a path is like to a program that knows nothing of it: `round-trip`, `rate BYTES` or `datagrams NUMBER`.

const address = process.env.SERVER_ADDRESS ?? '';
const [what, number = '0'] = process.argv.slice(2);

async function connectMs(): Promise<number> {
  const beganMs = performance.now();
  const socket = connect(8000, address);
  await once(socket, 'connect');
  socket.destroy();
  return performance.now() - beganMs;
}

/** Sends a line, and gives what comes with the time of its first and last piece. */
async function asked(line: string) {
  const socket = connect(8000, address);
  socket.write(line);
  const pieces: { atMs: number; bytes: Buffer }[] = [];
  for await (const bytes of socket) pieces.push({ atMs: performance.now(), bytes });
  return pieces;
}

/** The fastest of some, in ms. */
async function roundTripMs(): Promise<number> {
  const found: number[] = [];
  for (let each = 0; each < 10; each++) found.push(await connectMs());
  return Math.min(...found);
}

/** In kbit/s, from the first piece on. */
async function rateKbps(): Promise<number> {
  const [first, ...later] = await asked(number);
  const bits = later.reduce((sum, { bytes }) => sum + 8 * bytes.length, 0);
  return bits / ((later.at(-1)?.atMs ?? 0) - (first?.atMs ?? 0));
}

async function datagramsArrived(): Promise<number> {
  const socket = createSocket('udp4');
  for (let each = 0; each < Number(number); each++) {
    socket.send('x', 8001, address);
    await sleep(1);
  }
  await sleep(200);
  socket.close();
  const pieces = await asked('count');
  return Number(Buffer.concat(pieces.map(({ bytes }) => bytes)));
}

const measured = { 'round-trip': roundTripMs, rate: rateKbps, datagrams: datagramsArrived }[
  what as 'round-trip'
];
console.log(await measured());

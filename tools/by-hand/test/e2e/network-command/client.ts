import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

// Prints a path's properties as an unrelated program sees them: `round-trip`, `rate BYTES` or
// `datagrams NUMBER`.

const address = process.env.SERVER_ADDRESS ?? '';
const [what, number = '0'] = process.argv.slice(2);

async function connectMs(): Promise<number> {
  const beganMs = performance.now();
  const socket = connect(8000, address);
  await once(socket, 'connect');
  socket.destroy();
  return performance.now() - beganMs;
}

/** Sends a line, and returns the reply. */
async function request(line: string): Promise<Buffer> {
  const socket = connect(8000, address);
  socket.write(line);
  return Buffer.concat(await Array.fromAsync(socket));
}

/** The fastest of some, in ms. */
async function roundTripMs(): Promise<number> {
  const found: number[] = [];
  for (let each = 0; each < 40; each++) found.push(await connectMs());
  return Math.min(...found);
}

/**
 * The highest of some, in kbit/s, counted from before the connection: a busy machine only delays,
 * and a result never exceeds the path's rate.
 */
async function rateKbps(): Promise<number> {
  const found: number[] = [];
  for (let each = 0; each < 3; each++) {
    const beganMs = performance.now();
    const { length } = await request(number);
    found.push((8 * length) / (performance.now() - beganMs));
  }
  return Math.max(...found);
}

/** Waits until no more arrive, however late a busy server reads them. */
async function datagramsArrived(): Promise<number> {
  const socket = createSocket('udp4');
  for (let each = 0; each < Number(number); each++) {
    socket.send('x', 8001, address);
    // Holds them for a server that stands still for a second or two.
    await sleep(5);
  }
  socket.close();
  for (let before = -1; ; await sleep(200)) {
    const count = Number(await request('count'));
    if (count === before) return count;
    before = count;
  }
}

const measured = { 'round-trip': roundTripMs, rate: rateKbps, datagrams: datagramsArrived }[
  what as 'round-trip'
];
console.log(await measured());

import dgram from 'node:dgram';
import { once } from 'node:events';
import * as quic from 'node:quic';
import { mutated } from '../../fuzz-importers/mutation.ts';
import { type Attack, type AttackContext, again } from '../attack.ts';

/** A client has to fill its first datagrams to this size, or a server drops them. */
const INITIAL_BYTES = 1200;
const PORTS = 50;

/** Attacks on a QUIC server from outside of any connection. */
export const QUIC_ATTACKS: readonly Attack[] = [
  datagrams('garbage datagrams', ({ choices }) => choices.bytes(choices.number(1500))),
  datagrams('garbage with a head of QUIC', ({ choices }) => {
    const head = Buffer.from([0xc0 | choices.number(64), 0, 0, 0, 1, 8, ...choices.bytes(8), 8]);
    return Buffer.concat([head, choices.bytes(choices.pick([0, 20, INITIAL_BYTES]))]);
  }),
  datagrams('short heads of no connection', ({ choices }) =>
    Buffer.concat([Buffer.from([0x40 | choices.number(64)]), choices.bytes(choices.number(1400))]),
  ),
  datagrams('versions that nobody speaks', ({ choices }) => {
    const version = choices.pick([
      choices.bytes(4),
      Buffer.alloc(4),
      Buffer.from('0a1a2a3a', 'hex'),
    ]);
    const length = choices.pick([0, 8, 20, 255]);
    const head = Buffer.concat([
      Buffer.from([0xc0]),
      version,
      Buffer.from([length]),
      choices.bytes(length),
    ]);
    return Buffer.concat([head, Buffer.alloc(INITIAL_BYTES)]);
  }),
  initials('first flights cut off', (initial, { choices }) =>
    initial.subarray(0, choices.number(initial.length)),
  ),
  initials('damaged first flights', (initial, { choices }) => mutated(choices, initial)),
  initials('damaged first flights of full size', (initial, { choices }) => {
    const copy = Buffer.from(initial);
    for (let times = 1 + choices.number(8); times > 0; times--) {
      copy[choices.number(copy.length)] = choices.number(256);
    }
    return copy;
  }),
  // Each port is a separate client, which never completes its handshake.
  initials('handshakes begun and left', (initial) => initial),
];

/** Datagrams from many ports as fast as they can be sent. */
function datagrams(name: string, make: (context: AttackContext) => Uint8Array): Attack {
  return {
    name,
    run: (context) =>
      again(context, 2, async () => {
        const { ip, port } = context.target;
        const socket = dgram.createSocket('udp4');
        const watch = context.newWatch();
        socket.on('message', watch);
        socket.on('error', () => {});
        for (let sent = 0; sent < PORTS; sent++) {
          await new Promise((resolve) => socket.send(make(context), port, ip, resolve));
          context.sent();
        }
        socket.close();
      }),
  };
}

/** The first flights of real clients, each a new one, after a change to them. */
function initials(
  name: string,
  change: (initial: Buffer, context: AttackContext) => Uint8Array,
): Attack {
  return {
    name,
    async run(context) {
      const caught = await caughtInitials(context);
      await datagrams(name, (inner) => change(inner.choices.pick(caught), inner)).run(context);
    },
  };
}

const CAUGHT = 8;

/** First packets of clients, captured by a port that never answers. */
async function caughtInitials({ target }: AttackContext): Promise<Buffer[]> {
  const caught: Buffer[] = [];
  const socket = dgram.createSocket('udp4');
  socket.on('message', (message) => caught.push(message));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const address = `127.0.0.1:${socket.address().port}`;
  while (caught.length < CAUGHT) {
    const arrived = once(socket, 'message');
    void quic
      .connect(address, { servername: target.host, alpn: 'h3', verifyPeer: 'manual' })
      .then((session) => {
        session.opened.catch(() => {});
        session.closed.catch(() => {});
        setTimeout(() => session.close().catch(() => {}), 100);
      })
      .catch(() => {});
    await arrived;
  }
  socket.close();
  return caught;
}

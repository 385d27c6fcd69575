import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import tls from 'node:tls';
import { mutated } from '../../fuzz-importers/mutation.ts';
import { type Attack, type AttackContext, again, hasTime, timeLeft } from '../attack.ts';
import { oneEach, SHORT_MS } from '../connections.ts';
import { dialTcp, dialTls, type Wire } from '../wire.ts';

const HELD = 300;

/** Attacks on a TLS listener on TCP, before any HTTP. */
export const TLS_ATTACKS: readonly Attack[] = [
  {
    name: 'connections opened and dropped',
    run: (context) =>
      again(context, 40, async () => {
        const wire = await dialTcp(context);
        if (wire && context.choices.chance(30)) await sleep(context.choices.number(20));
        if (wire && context.choices.chance(50)) wire.socket.resetAndDestroy();
        else wire?.drop();
        context.sent();
      }),
  },
  {
    name: 'TLS connections opened and dropped',
    run: (context) =>
      again(context, 10, async () => {
        const wire = await dialTls(context, context.target.protocol);
        wire?.drop();
        context.sent();
      }),
  },
  {
    name: 'connections held and silent',
    async run(context) {
      await hold(context, async () => {
        await dialTcp(context);
      });
    },
  },
  {
    name: 'handshakes given up half-way',
    async run(context) {
      const hello = await clientHello(context);
      await oneEach(
        context,
        20,
        dialTcp,
        ({ choices }) => hello.subarray(0, 1 + choices.number(hello.length)),
        ({ choices }) => choices.number(SHORT_MS),
      );
    },
  },
  {
    name: 'handshakes held half-way',
    async run(context) {
      const hello = await clientHello(context);
      await hold(context, async () => {
        const wire = await dialTcp(context);
        await wire?.write(hello.subarray(0, 1 + context.choices.number(hello.length)));
      });
    },
  },
  {
    name: 'damaged handshakes',
    async run(context) {
      const hello = await clientHello(context);
      await oneEach(context, 20, dialTcp, ({ choices }) => mutated(choices, hello));
    },
  },
  {
    name: 'no TLS at all',
    run: (context) =>
      oneEach(context, 20, dialTcp, ({ choices, target }) =>
        choices.chance(30)
          ? Buffer.from(`GET / HTTP/1.1\r\nHost: ${target.host}\r\n\r\n`)
          : choices.bytes(1 + choices.number(4000)),
      ),
  },
  {
    name: 'protocols that are not offered',
    run: (context) => oneEach(context, 5, dialOther, ({ choices }) => choices.bytes(100)),
  },
];

function dialOther(context: AttackContext): Promise<Wire | null> {
  const protocols = ['h3', 'spdy/3', 'h2c', 'x'.repeat(255), 'http/0.9', '\0'];
  return dialTls(context, context.choices.pick(protocols));
}

/** Opens as many as are accepted, and holds them until time is over. */
async function hold(context: AttackContext, open: () => Promise<void>): Promise<void> {
  for (let opened = 0; opened < HELD && hasTime(context); opened++) {
    await open();
    context.sent();
  }
  await timeLeft(context);
}

/** The first flight of a TLS client, captured by a separate server. */
async function clientHello({ target }: AttackContext): Promise<Buffer> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  const client = tls.connect({
    host: '127.0.0.1',
    port,
    servername: target.host,
    ALPNProtocols: [target.protocol],
  });
  client.on('error', () => {});
  const [caught] = (await once(server, 'connection')) as [net.Socket];
  const [hello] = (await once(caught, 'data')) as [Buffer];
  client.destroy();
  caught.destroy();
  server.close();
  return hello;
}

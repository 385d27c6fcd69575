import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import tls from 'node:tls';
import { mutated } from '../../fuzz-importers/mutation.ts';
import { type Attack, type AttackContext, again, hasTime } from '../attack.ts';
import { dialTcp, dialTls } from '../wire.ts';

/** Longer than any server needs to see what it got. */
const SHORT_MS = 150;
const HELD = 300;

/** What can be done to whoever listens on TCP for TLS, before any HTTP. */
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
      await again(context, 20, async () => {
        const wire = await dialTcp(context);
        await wire?.write(hello.subarray(0, 1 + context.choices.number(hello.length)));
        await wire?.ended(context.choices.number(SHORT_MS));
        wire?.drop();
        context.sent();
      });
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
      await again(context, 20, async () => {
        const wire = await dialTcp(context);
        await wire?.write(mutated(context.choices, hello));
        await wire?.ended(SHORT_MS);
        wire?.drop();
        context.sent();
      });
    },
  },
  {
    name: 'no TLS at all',
    run: (context) =>
      again(context, 20, async () => {
        const { choices, target } = context;
        const wire = await dialTcp(context);
        await wire?.write(
          choices.chance(30)
            ? `GET / HTTP/1.1\r\nHost: ${target.host}\r\n\r\n`
            : choices.bytes(1 + choices.number(4000)),
        );
        await wire?.ended(SHORT_MS);
        wire?.drop();
        context.sent();
      }),
  },
  {
    name: 'protocols that are not offered',
    run: (context) =>
      again(context, 5, async () => {
        const { choices } = context;
        const alpn = choices.pick(['h3', 'spdy/3', 'h2c', 'x'.repeat(255), 'http/0.9', '\0']);
        const wire = await dialTls(context, alpn);
        await wire?.write(choices.bytes(100));
        await wire?.ended(SHORT_MS);
        wire?.drop();
        context.sent();
      }),
  },
];

/** Opens as many as are held, and holds them until time is over. */
async function hold(context: AttackContext, open: () => Promise<void>): Promise<void> {
  for (let opened = 0; opened < HELD && hasTime(context); opened++) {
    await open();
    context.sent();
  }
  await sleep(Math.max(0, context.untilMs - performance.now()));
}

/** The first flight of a TLS client, caught by a server of its own. */
async function clientHello({ target }: AttackContext): Promise<Buffer> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  const client = tls.connect({
    ...{ host: '127.0.0.1', port, servername: target.host },
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

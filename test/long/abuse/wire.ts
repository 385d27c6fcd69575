import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import tls from 'node:tls';
import { type AttackContext, hasTime, timeLeft } from './attack.ts';

/** A connection of an attack. The server may end it, without an error. */
export interface Wire {
  socket: net.Socket;
  readonly closed: boolean;
  /** Sends as fast as the server receives; false: it does not receive any more, or time is over. */
  write: (bytes: Uint8Array | string) => Promise<boolean>;
  /** Waits for the server's end of the connection, at most this many ms. */
  ended: (limitMs: number) => Promise<void>;
  drop: () => void;
}

/** Opens a TCP connection; null: the server rejects it. */
export async function dialTcp(context: AttackContext): Promise<Wire | null> {
  const { ip, port } = context.target;
  return opened(context, net.connect({ host: ip, port }), 'connect');
}

/** Opens a TLS connection with this protocol chosen; null: the server rejects it. */
export async function dialTls(context: AttackContext, alpn: string): Promise<Wire | null> {
  const { ip, port, host } = context.target;
  const socket = tls.connect({
    host: ip,
    port,
    servername: host,
    ALPNProtocols: [alpn],
    rejectUnauthorized: false,
  });
  return opened(context, socket, 'secureConnect');
}

async function opened(
  context: AttackContext,
  socket: net.Socket,
  event: 'connect' | 'secureConnect',
): Promise<Wire | null> {
  const wire = wireOf(context, socket);
  context.wires.add(wire);
  socket.once('close', () => context.wires.delete(wire));
  const isOpen = await Promise.race([
    once(socket, event).then(
      () => true,
      () => false,
    ),
    once(socket, 'close').then(() => false),
    timeLeft(context).then(() => false),
  ]);
  if (isOpen) return wire;
  wire.drop();
  return null;
}

function wireOf(context: AttackContext, socket: net.Socket): Wire {
  const watch = context.newWatch();
  socket.on('error', () => {});
  socket.on('data', watch);
  socket.on('end', () => socket.destroy());
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  return {
    socket,
    get closed() {
      return socket.destroyed;
    },
    async write(bytes) {
      if (socket.destroyed) return false;
      if (!socket.write(bytes)) {
        const drained = once(socket, 'drain').catch(() => {});
        await Promise.race([drained, closed, timeLeft(context)]);
      }
      return !socket.destroyed && hasTime(context);
    },
    async ended(limitMs) {
      await Promise.race([closed, sleep(limitMs, undefined, { ref: false })]);
    },
    drop: () => socket.destroy(),
  };
}

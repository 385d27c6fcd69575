import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** A Redis of the test's own. */
export interface RedisServer {
  url: string;
  stop(): Promise<void>;
  /** Starts it again at the same address, empty. */
  start(): Promise<void>;
}

/** Lends a Redis on a free port of loopback that keeps nothing. */
export async function withRedis<T>(act: (server: RedisServer) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'quic-vs-https-redis-'));
  const port = await freePort();
  let child: ChildProcess | null = null;
  const start = async () => {
    child = await startRedis(port, folder);
  };
  const stop = async () => {
    if (!child || child.exitCode !== null) return;
    const ended = once(child, 'close');
    child.kill('SIGTERM');
    await ended;
  };
  try {
    await start();
    return await act({ url: `redis://127.0.0.1:${port}`, start, stop });
  } finally {
    await stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function startRedis(port: number, folder: string): Promise<ChildProcess> {
  const where = ['--bind', '127.0.0.1', '--port', `${port}`, '--dir', folder];
  const child = spawn('redis-server', [...where, '--save', '', '--appendonly', 'no'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const failed = once(child, 'error').then(([error]) => {
    throw new Error(
      `redis-server cannot be started (${error.message}). This test needs it: apt-get install -y redis-server`,
    );
  });
  await Promise.race([failed, once(child, 'spawn')]);
  failed.catch(() => {});
  for (let tries = 0; !(await answers(port)); tries++) {
    if (tries > 100 || child.exitCode !== null) throw new Error('redis-server does not listen');
    await delay(50);
  }
  return child;
}

async function answers(port: number): Promise<boolean> {
  const socket = net.connect(port, '127.0.0.1');
  const outcome = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'error').then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return outcome;
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { withTemporaryFolder } from '../../temporary-folder.ts';

/** A separate Redis of the test. */
export interface RedisServer {
  url: string;
  stop(): Promise<void>;
  /** Restarts it at the same address, empty. */
  start(): Promise<void>;
}

/** Provides a Redis without persistence on a free port of loopback. */
export async function withRedis<T>(act: (server: RedisServer) => Promise<T>): Promise<T> {
  return withTemporaryFolder((folder) => withRedisIn(folder, act));
}

async function withRedisIn<T>(
  folder: string,
  act: (server: RedisServer) => Promise<T>,
): Promise<T> {
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
  }
}

async function startRedis(port: number, folder: string): Promise<ChildProcess> {
  const where = ['--bind', '127.0.0.1', '--port', `${port}`, '--dir', folder];
  const child = spawn('redis-server', [...where, '--save', '', '--appendonly', 'no'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  // A program that cannot be spawned rejects with its 'error'.
  await once(child, 'spawn').catch((error: Error) => {
    const needs = 'This test needs it: apt-get install -y redis-server';
    throw new Error(`redis-server cannot be started (${error.message}). ${needs}`);
  });
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

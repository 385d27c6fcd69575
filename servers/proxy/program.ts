import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Protocol } from '../../ground/records/protocol.ts';
import type { Stack } from '../../ground/stack.ts';
import { shellWord } from '../../ground/system/shell-word.ts';
import {
  type Answer,
  type Listener,
  type Program,
  serve,
  type TransportSettings,
} from '../bun/contract.ts';
import { handlers } from '../bun/http-server.ts';
import type { RecordedResponse } from '../bun/recorded-site.ts';

/** A proxy in front of the recorded site. */
export interface Proxy {
  /** Fields of the ready line. */
  details: Record<string, string>;
  /** Arguments with which it reads its configuration from a file. */
  arguments(file: string): readonly string[];
  env?: Readonly<Record<string, string>>;
  /** @param origin name of the abstract Unix socket at which HTTP/1.1 gets the site's responses */
  configuration(listeners: readonly Listener[], origin: string): object;
  /** Header field of requests with the path as the client sent it; absent: the proxy passes it unchanged. */
  pathField?: string;
  /** The response as the proxy has to get it; absent: it passes responses unchanged. */
  prepare?(response: RecordedResponse): RecordedResponse;
}

const POLL_MS = 20;

/**
 * Runs the installed program of the first argument as the stack that the second one names; the rest is the contract's.
 * @param versionArg with which the installed program prints its versions
 * @param proxyOf called with what it printed
 */
export async function serveProxy(
  stacks: readonly Stack[],
  versionArg: string,
  proxyOf: (printed: string, protocol: Protocol, settings: TransportSettings) => Proxy,
): Promise<void> {
  const [installs = '', name] = process.argv.splice(2, 2);
  const stack = stacks.find((each) => each.stack === name);
  if (stack === undefined) throw new Error(`${name}: no stack of this program`);
  const { status, stdout } = spawnSync(installs, [versionArg], { encoding: 'utf8' });
  if (status !== 0) {
    console.error(
      `${installs} does not run. Run: npm run setup -- --stacks ${shellWord(stack.stack)}`,
    );
    process.exit(127);
  }
  const { protocol } = stack;
  await serve(stack, (settings) =>
    proxyProgram(installs, protocol, proxyOf(stdout, protocol, settings)),
  );
}

/** The program of a proxy with the recorded site behind it, in this process. */
function proxyProgram(installs: string, protocol: Protocol, proxy: Proxy): Program {
  const listeners: Listener[] = [];
  const origin = `quic-vs-https-${randomUUID()}`;
  const kinds = (['tcp', 'udp'] as const).filter((kind) =>
    kind === 'tcp' ? protocol !== 'h3' : protocol.includes('h3'),
  );
  return {
    async listen(listener, answer) {
      if (listeners.length === 0) startOrigin(origin, proxy, answer);
      let { port } = listener;
      for (const kind of kinds) port = await tryPort[kind](listener.ip, port);
      listeners.push({ ...listener, port });
      return port;
    },
    async details() {
      const { file, remove } = writeConfiguration(proxy.configuration(listeners, origin));
      const child = spawn(installs, proxy.arguments(file), {
        stdio: ['ignore', 2, 2],
        env: { ...process.env, ...proxy.env },
      });
      process.on('exit', () => {
        child.kill('SIGKILL');
        remove();
      });
      const ended = failureOf(child);
      for (const { ip, port } of listeners) {
        for (const kind of kinds) {
          while (!isBound(kind, ip, port)) await Promise.race([sleep(POLL_MS), ended]);
        }
      }
      remove();
      ended.catch((error: Error) => {
        console.error(error.message);
        process.exit(1);
      });
      return proxy.details;
    },
  };
}

/** Answers by HTTP/1.1 at a Unix socket, which no setting of the path reaches. */
function startOrigin(name: string, { pathField, prepare }: Proxy, answer: Answer): void {
  Bun.serve({
    unix: `\0${name}`,
    ...handlers('origin', async (request, isGone) => {
      const asSent = (pathField && request.header(pathField)) || request.path;
      const response = await answer({ ...request, path: asSent }, isGone);
      return prepare?.(response) ?? response;
    }),
  });
}

/** A file for this user alone, with the keys; removed when it was read. */
function writeConfiguration(configuration: object): { file: string; remove(): void } {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'quic-vs-https-proxy-'));
  const file = path.join(folder, 'configuration.json');
  writeFileSync(file, JSON.stringify(configuration), { mode: 0o600 });
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Rejects when the proxy ends. */
async function failureOf(child: ChildProcess): Promise<never> {
  const [status, signal] = await once(child, 'exit');
  throw new Error(`${child.spawnfile} ended (${status ?? signal})`);
}

/** Binds an address for a moment, because proxies neither choose a port nor report it. */
const tryPort = {
  async tcp(ip: string, port: number): Promise<number> {
    const server = net.createServer().listen(port, ip);
    await once(server, 'listening');
    const bound = server.address() as net.AddressInfo;
    server.close();
    await once(server, 'close');
    return bound.port;
  },
  async udp(ip: string, port: number): Promise<number> {
    const socket = createSocket('udp4').bind(port, ip);
    await once(socket, 'listening');
    const bound = socket.address();
    socket.close();
    await once(socket, 'close');
    return bound.port;
  },
};

/** State in /proc/net of a TCP socket that listens, and of a UDP socket. */
const STATES = { tcp: '0A', udp: '07' } as const;

/** Whether a socket of this network namespace listens at an IPv4 address. */
function isBound(kind: 'tcp' | 'udp', ip: string, port: number): boolean {
  // In the byte order of the processor, little-endian on all platforms of the proxies.
  const address = ip.split('.').toReversed().map(Number).map(hex(2)).join('');
  const socket = new RegExp(` ${address}:${hex(4)(port)} \\S+ ${STATES[kind]} `);
  return socket.test(readFileSync(`/proc/net/${kind}`, 'utf8'));
}

function hex(digits: number) {
  return (value: number) => value.toString(16).toUpperCase().padStart(digits, '0');
}

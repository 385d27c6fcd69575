import { setTimeout as sleep } from 'node:timers/promises';
import { type Child, startChild } from '../../ground/system/child-process.ts';
import { ServerError } from '../../ground/system/errors.ts';
import type { PathAgent } from '../../network/agent.ts';
import type { ManualOutput } from './measure-path.ts';

const LISTEN_TIMEOUT_MS = 10_000;
const POLL_INTERVAL_MS = 100;
const STOP_LIMIT_MS = 2000;

/** Where a command of the user's serves, and who is told what. */
interface ServerCommandOptions extends ManualOutput {
  agent: PathAgent;
  /** The address that the other end can reach. */
  address: string;
  folder: string;
}

interface Listener {
  /** As `tcp 0.0.0.0:8000`. */
  text: string;
  isReachable: boolean;
}

/**
 * Runs a command line of the user's at the server's end, hands on when it listens where the other end can reach it, or after
 * 10 s, and always ends it. What it prints goes to stderr.
 * @throws ServerError when it ends before it listens
 */
export async function withServerCommand<T>(
  commandLine: string,
  options: ServerCommandOptions,
  use: () => Promise<T>,
): Promise<T> {
  const { agent, address, folder, say } = options;
  const [program = '', ...args] = [
    ...agent.enter('server'),
    ...['env', `--chdir=${folder}`, `SERVER_ADDRESS=${address}`],
    ...['/bin/sh', '-c', commandLine],
  ];
  const server = startChild(program, args);
  for (const stream of [server.process.stdout, server.process.stderr])
    stream?.pipe(process.stderr, { end: false });
  try {
    say(listeningText(await listenersOnceReachable(server, commandLine, options)));
    try {
      return await use();
    } finally {
      if (server.end !== null) say(`The server had ended by then (${server.end}).`);
    }
  } finally {
    await server.stop(STOP_LIMIT_MS);
  }
}

async function listenersOnceReachable(
  server: Child,
  commandLine: string,
  { agent, signal }: ServerCommandOptions,
): Promise<Listener[]> {
  let before = '';
  for (const beganMs = performance.now(); ; await sleep(POLL_INTERVAL_MS)) {
    signal.throwIfAborted();
    // Before looking: what it leaves in the background listens by then.
    const { end } = server;
    const listeners = listenersIn(await agent.run('server', ['ss', '-Hlntu']));
    const found = listeners.map(({ text }) => text).join();
    // One that listens at several ports opens one after the other.
    const isSettled = found === before;
    before = found;
    if (isSettled && listeners.some(({ isReachable }) => isReachable)) return listeners;
    if (performance.now() - beganMs > LISTEN_TIMEOUT_MS) return listeners;
    if (end !== null) {
      throw new ServerError(
        `--server "${commandLine}" ended (${end}) before it listened anywhere. Try it by itself; it has to stay in the foreground.`,
        commandLine,
      );
    }
  }
}

/** Lines of `ss`: protocol, state, two queues, the socket's address. */
function listenersIn(lines: string): Listener[] {
  return lines.split('\n').flatMap((line) => {
    const [protocol, , , , address] = line.trim().split(/\s+/);
    if (address === undefined) return [];
    return [{ text: `${protocol} ${address}`, isReachable: !/^(127\.|\[::1\])/.test(address) }];
  });
}

function listeningText(listeners: readonly Listener[]): string {
  const [reachable, others] = [true, false].map((is) =>
    listeners.filter(({ isReachable }) => isReachable === is).map(({ text }) => text),
  ) as [string[], string[]];
  if (reachable.length > 0) return `The server listens: ${reachable.join(', ')}.`;
  const seconds = LISTEN_TIMEOUT_MS / 1000;
  return others.length > 0
    ? `The server listens on ${others.join(', ')} alone after ${seconds} s, where the other end cannot reach it: have it listen on all addresses (0.0.0.0), or on $SERVER_ADDRESS.`
    : `The server listens nowhere after ${seconds} s.`;
}

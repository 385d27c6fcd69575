import { setTimeout as sleep } from 'node:timers/promises';
import { type Child, startChild } from '../../ground/system/child-process.ts';
import { ServerError } from '../../ground/system/errors.ts';
import type { PathAgent } from '../../network/agent.ts';
import type { ManualOutput } from './measure-path.ts';

const LISTEN_TIMEOUT_MS = 10_000;
const POLL_INTERVAL_MS = 100;
const STOP_LIMIT_MS = 2000;

interface ServerCommandOptions extends ManualOutput {
  agent: PathAgent;
  /** Reachable from the client's namespace. */
  address: string;
  folder: string;
}

interface Listener {
  /** As `tcp 0.0.0.0:8000`. */
  text: string;
  isReachable: boolean;
}

/**
 * Runs the user's command line in the server's namespace, continues once it listens on a reachable address, or after 10 s, and always
 * ends it. Its output goes to stderr.
 * @throws ServerError if it ends before it listens
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
      if (server.end !== null) say(`The server had already ended (${server.end}).`);
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
    // Read before `ss`: a server that forks into the background listens by then.
    const { end } = server;
    const listeners = listenersIn(await agent.run('server', ['ss', '-Hlntu']));
    const found = listeners.map(({ text }) => text).join();
    // A server with several ports opens them one by one.
    const isSettled = found === before;
    before = found;
    if (isSettled && listeners.some(({ isReachable }) => isReachable)) return listeners;
    if (performance.now() - beganMs > LISTEN_TIMEOUT_MS) return listeners;
    if (end !== null) {
      throw new ServerError(
        `--server "${commandLine}" ended (${end}) before it listened. Try it alone; it has to stay in the foreground.`,
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
  const [reachable, local] = [true, false].map((is) =>
    listeners.filter(({ isReachable }) => isReachable === is).map(({ text }) => text),
  ) as [string[], string[]];
  if (reachable.length > 0) return `The server listens: ${reachable.join(', ')}.`;
  const seconds = LISTEN_TIMEOUT_MS / 1000;
  return local.length > 0
    ? `The server listens only on ${local.join(', ')} after ${seconds} s, which the client cannot reach: let it listen on all addresses (0.0.0.0), or on $SERVER_ADDRESS.`
    : `The server does not listen after ${seconds} s.`;
}

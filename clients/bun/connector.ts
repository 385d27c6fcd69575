import path from 'node:path';
import { createInterface } from 'node:readline';
import { type Child, startChild } from '../../system/child-process.ts';

/** A connection that is to be set up. */
export interface AskedConnection {
  /** The name to ask for (SNI). */
  host: string;
  /** `ip:port` of the server. */
  address: string;
  /** h3 is asked for over QUIC, all others over TLS on TCP. */
  protocol: string;
  timeoutMs: number;
}

/**
 * How long it took until the client could send its first request, since the connection was asked for, or why it never could; and
 * its secrets, as text of an NSS key log.
 */
export type ConnectionMade = ({ maySendMs: number } | { error: string }) & { keyLog: string };

/** A program that sets up connections, one after the other, and keeps none. */
export interface Connector {
  pid: number;
  /** @throws Error when the program has ended */
  connect(asked: AskedConnection): Promise<ConnectionMade>;
  close(): Promise<void>;
}

const PROGRAM = path.join(import.meta.dirname, 'connect-program.ts');
const CLOSE_MS = 2_000;

/**
 * Starts the program at the client's end of a path.
 * @param enter what to put before a command so that it runs there
 */
export function startConnector(bun: string, enter: readonly string[]): Connector {
  const [command = bun, ...args] = [...enter, bun];
  const child: Child = startChild(command, [...args, PROGRAM]);
  const { stdin, stdout, stderr } = child.process;
  if (!stdin || !stdout || !stderr) throw new Error('a program without pipes');
  const lines = createInterface(stdout)[Symbol.asyncIterator]();
  let said = '';
  stderr.on('data', (text) => {
    said = `${said}${text}`.slice(-500);
  });
  return {
    pid: child.process.pid ?? 0,
    async connect(asked) {
      stdin.write(`${JSON.stringify(asked)}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error(`The connecting client ended (${await child.ended}). ${said}`);
      return JSON.parse(value) as ConnectionMade;
    },
    close: () => child.stop(CLOSE_MS),
  };
}

import path from 'node:path';
import { createInterface } from 'node:readline';
import { type Child, startChild } from '../../../ground/system/child-process.ts';
import { addressOfHost } from '../../../network/addresses.ts';
import type { NamespaceName, PathAgent } from '../../../network/agent.ts';

const PROGRAM = path.join(import.meta.dirname, 'traffic.py');

/** Traffic from the client's end of a path to the server's, and back. */
export interface Traffic {
  /** Sends numbered datagrams of 1200 bytes to the server. */
  flood(datagrams: Datagrams): Promise<void>;
  /** The numbers of the datagrams that have arrived since the last call, in order. */
  arrived(): Promise<number[]>;
  /** Fetches bytes over a new TCP connection; timed from connecting to the last byte. */
  downloadMs(bytes: number): Promise<number>;
}

/**
 * Number and pattern of datagrams: `segments` of them in each call, one call every `intervalMs`.
 */
export interface Datagrams {
  count: number;
  intervalMs: number;
  segments: number;
}

/** Starts the server's end, passes on the client's, and stops both. */
export async function withTraffic<T>(
  agent: PathAgent,
  python: string,
  use: (traffic: Traffic) => Promise<T>,
): Promise<T> {
  const address = addressOfHost(0);
  const command = (name: NamespaceName, args: string[]) => [
    ...agent.enter(name),
    python,
    '-B',
    PROGRAM,
    ...args,
  ];
  const client = (mode: string, ...numbers: number[]) =>
    output(command('client', [mode, address, ...numbers.map(String)]));

  const [program = '', ...args] = command('server', ['serve', address]);
  const server = startChild(program, args);
  const lines = linesOf(server);
  try {
    const { udpPort, tcpPort } = JSON.parse(await lines());
    return await use({
      async flood({ count, intervalMs, segments }) {
        await client('flood', udpPort, count, intervalMs, segments);
      },
      async arrived() {
        server.process.stdin?.write('\n');
        return JSON.parse(await lines());
      },
      async downloadMs(bytes) {
        return JSON.parse(await client('download', tcpPort, bytes)).ms;
      },
    });
  } finally {
    await server.stop(1000);
  }
}

async function output([program = '', ...args]: string[]): Promise<string> {
  const child = startChild(program, args);
  let text = '';
  child.process.stdout?.on('data', (chunk) => {
    text += chunk;
  });
  child.process.stderr?.pipe(process.stderr);
  await new Promise((resolve) => child.process.once('close', resolve));
  if (child.end !== 0) throw new Error(`${args.join(' ')} ended with ${child.end}`);
  return text;
}

/** The next line that a program prints. */
function linesOf(child: Child): () => Promise<string> {
  if (!child.process.stdout) throw new Error('program without pipes');
  child.process.stderr?.pipe(process.stderr);
  const lines = createInterface(child.process.stdout)[Symbol.asyncIterator]();
  return async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error('the server of the traffic ended');
    return value;
  };
}

import path from 'node:path';
import { createInterface } from 'node:readline';
import { type Child, startChild } from '../../../ground/system/child-process.ts';
import { type NamespaceName, type PathAgent, PYTHON_FLAGS } from '../../agent.ts';

const PROGRAM = path.join(import.meta.dirname, 'measure.py');
const STOP_LIMIT_MS = 2000;

interface MeasuringServer {
  port: number;
  next<T>(): Promise<T>;
}

export class MeasuringPrograms {
  readonly #agent: PathAgent;
  readonly #python: string;

  constructor(agent: PathAgent, python: string) {
    this.#agent = agent;
    this.#python = python;
  }

  async run<T>(namespace: NamespaceName, ...args: readonly (string | number)[]): Promise<T> {
    const child = this.#start(namespace, args);
    try {
      return await readMessages(child, args)<T>();
    } finally {
      await child.ended;
    }
  }

  async withServer<T>(
    namespace: NamespaceName,
    args: readonly string[],
    use: (server: MeasuringServer, end: () => void) => Promise<T>,
  ): Promise<T> {
    const child = this.#start(namespace, args);
    try {
      const next = readMessages(child, args);
      const { port } = await next<{ port: number }>();
      return await use({ port, next }, () => child.process.stdin?.end());
    } finally {
      await child.stop(STOP_LIMIT_MS);
    }
  }

  #start(namespace: NamespaceName, args: readonly (string | number)[]): Child {
    const [program, ...prefix] = this.#agent.enter(namespace) as [string, ...string[]];
    const words = [...prefix, this.#python, ...PYTHON_FLAGS, PROGRAM, ...args.map(String)];
    return startChild(program, words);
  }
}

/** Messages of a program, one line of JSON each. */
function readMessages(
  { process: { stdout, stderr } }: Child,
  args: readonly (string | number)[],
): MeasuringServer['next'] {
  if (!stdout || !stderr) throw new Error('measuring program without pipes');
  const lines = createInterface(stdout)[Symbol.asyncIterator]();
  let complaint = '';
  stderr.on('data', (text: Buffer) => {
    complaint += text;
  });
  return async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`measure.py ${args.join(' ')}: ${complaint}`);
    return JSON.parse(value);
  };
}

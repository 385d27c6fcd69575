import path from 'node:path';
import { createInterface } from 'node:readline';
import type { NamespaceName, PathAgent } from '../../network/agent.ts';
import { type Child, startChild } from '../../system/child-process.ts';

const PROGRAM = path.join(import.meta.dirname, 'measure.py');
const STOP_LIMIT_MS = 2000;

/** Something that measures and runs in one end of a path until it is told to stop. */
export interface MeasuringServer {
  port: number;
  /** The next thing it says. */
  next<T>(): Promise<T>;
}

/** Runs the measuring programs of measure.py in the ends of a path. */
export class MeasuringPrograms {
  readonly #agent: PathAgent;
  readonly #python: string;

  constructor(agent: PathAgent, python: string) {
    this.#agent = agent;
    this.#python = python;
  }

  /** Runs a program to its end and returns what it found. */
  async run<T>(namespace: NamespaceName, ...args: readonly (string | number)[]): Promise<T> {
    const child = this.#start(namespace, args);
    try {
      return await new Sayings(child, args).next<T>();
    } finally {
      await child.ended;
    }
  }

  /** Starts a server, hands it on, and stops it. */
  async withServer<T>(
    namespace: NamespaceName,
    args: readonly string[],
    use: (server: MeasuringServer, end: () => void) => Promise<T>,
  ): Promise<T> {
    const child = this.#start(namespace, args);
    try {
      const sayings = new Sayings(child, args);
      const { port } = await sayings.next<{ port: number }>();
      const server = { port, next: <S>() => sayings.next<S>() };
      return await use(server, () => child.process.stdin?.end());
    } finally {
      await child.stop(STOP_LIMIT_MS);
    }
  }

  #start(namespace: NamespaceName, args: readonly (string | number)[]): Child {
    const [program, ...prefix] = this.#agent.enter(namespace) as [string, ...string[]];
    const flags = ['-B', '-E', '-s', PROGRAM];
    return startChild(program, [...prefix, this.#python, ...flags, ...args.map(String)]);
  }
}

/** What a program says, one line of JSON each. */
class Sayings {
  readonly #lines: AsyncIterator<string>;
  readonly #args: readonly (string | number)[];
  #complaint = '';

  constructor({ process }: Child, args: readonly (string | number)[]) {
    if (!process.stdout || !process.stderr) throw new Error('measuring program without pipes');
    this.#lines = createInterface(process.stdout)[Symbol.asyncIterator]();
    process.stderr.on('data', (text: Buffer) => {
      this.#complaint += text;
    });
    this.#args = args;
  }

  async next<T>(): Promise<T> {
    const { value, done } = await this.#lines.next();
    if (done) throw new Error(`measure.py ${this.#args.join(' ')}: ${this.#complaint}`);
    return JSON.parse(value) as T;
  }
}

import path from 'node:path';
import type { Protocol } from '../records/protocol.ts';

/** The project's root folder. */
export const projectFolder = path.join(import.meta.dirname, '..');

/** A server stack: how it is named and which program serves it. */
export interface Stack {
  stack: string;
  /** For tables and headings, for example `lsquic (h3)`. */
  label: string;
  protocol: Protocol;
  /** Set in the control: the stack whose program this one runs a second time under another label. */
  controlOf: string | null;
  /** Part of a run that names no stacks. */
  byDefault: boolean;
  /** Runtime of the program. */
  runtime: 'bun' | 'python';
  /** The program below the project's folder. */
  program: string;
  /** What the program is told beside what servers/README.md has all of them told. */
  programArguments: readonly string[];
  /** Can send the main document as it was saved, with its header lines as text. */
  sendsAsSaved: boolean;
}

/** Every stack that can be asked for with --stacks, in the order of tables. */
export const STACKS: readonly Stack[] = [
  {
    stack: 'lsquic-h3',
    label: 'lsquic (h3)',
    protocol: 'h3',
    controlOf: null,
    byDefault: true,
    runtime: 'bun',
    program: 'servers/lsquic-h3/server.ts',
    programArguments: [],
    sendsAsSaved: false,
  },
  {
    stack: 'bun-h2',
    label: 'Bun (h2)',
    protocol: 'h2',
    controlOf: null,
    byDefault: true,
    runtime: 'bun',
    program: 'servers/bun-h2/server.ts',
    programArguments: [],
    sendsAsSaved: false,
  },
  {
    stack: 'flask-h1',
    label: 'Flask (http/1.1)',
    protocol: 'http/1.1',
    controlOf: null,
    byDefault: true,
    runtime: 'python',
    program: 'servers/flask-h1/server.py',
    programArguments: [],
    sendsAsSaved: false,
  },
  {
    stack: 'bun-h1',
    label: 'Bun (http/1.1)',
    protocol: 'http/1.1',
    controlOf: null,
    byDefault: false,
    runtime: 'bun',
    program: 'servers/bun-h1/server.ts',
    programArguments: [],
    sendsAsSaved: false,
  },
  {
    stack: 'flask-dev',
    label: 'Flask development server (http/1.0)',
    protocol: 'http/1.0',
    controlOf: null,
    byDefault: false,
    runtime: 'python',
    program: 'servers/flask-dev/server.py',
    programArguments: [],
    sendsAsSaved: true,
  },
  {
    stack: 'flask-dev-h1',
    label: 'Flask development server (http/1.1)',
    protocol: 'http/1.1',
    controlOf: null,
    byDefault: false,
    runtime: 'python',
    program: 'servers/flask-dev/server.py',
    programArguments: ['--http', '1.1'],
    sendsAsSaved: true,
  },
];

/** The same program a second time under another label: what differs between the two is no difference of programs. */
export function controlOf(stack: Stack): Stack {
  return {
    ...stack,
    stack: `${stack.stack}-control`,
    label: `${stack.label}, control`,
    controlOf: stack.stack,
  };
}

import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs';
import path from 'node:path';
import type { NamedServer } from '../ground/options/readers.ts';
import type { PlannedArm, PlanRecord } from '../ground/records/run.ts';
import { type OwnServer, type Stack, serverNameOf } from '../ground/stack.ts';
import { UsageError } from '../ground/system/errors.ts';
import { shellWord } from '../ground/system/shell-word.ts';
import { OWN_ENDINGS, ownStack } from '../servers/own-stack.ts';
import { assertOwnName, isAddress, originOf } from './own-stacks.ts';

/** Names of the stacks of a user's own server. */
export function stackNamesOf(server: string): string[] {
  return Object.keys(OWN_ENDINGS).map((ending) => `${server}${ending}`);
}

/**
 * The stacks of a user's own server; default: HTTP/3 and its twin over TCP.
 * @param known stacks of the project
 * @throws UsageError when its name is not valid or belongs to a stack, or when it cannot be started
 */
export function stacksOfServer(
  { name, server }: NamedServer,
  known: readonly Pick<Stack, 'stack'>[],
): Stack[] {
  const given = `--server ${name}=${server}`;
  assertOwnName(name, given, `old=${server}`);
  const taken = known.find(({ stack }) => [name, ...stackNamesOf(name)].includes(stack));
  if (taken) {
    throw new UsageError(
      `${given}: ${taken.stack} is a stack of this project. Give your server another name, for example my-${name}=${server}.`,
    );
  }
  const own: OwnServer = isAddress(server)
    ? { url: originOf(server, given) }
    : { program: path.resolve(server) };
  if ('program' in own) assertCanStart(own.program, `--server ${server}`);
  return Object.entries(OWN_ENDINGS).map(([ending, protocol]) => ({
    ...ownStack(`${name}${ending}`, protocol, own),
    byDefault: ending === '-h3' || ending === '-h2',
  }));
}

/**
 * Sets the programs of a plan's own servers to those that the user gives. A plan may come from anywhere, so it does not choose programs.
 * @param given --server; null: not given
 * @param from the plan's source in messages: `--plan a.json`
 * @throws UsageError when only one of the two has a program of that name
 */
export function withOwnPrograms(
  given: readonly NamedServer[] | null,
  { arms }: Pick<PlanRecord, 'arms'>,
  from: string,
): PlannedArm[] {
  const started = arms.filter(({ own }) => own?.program !== undefined);
  const programs = new Map(given?.map(({ name, server }) => [name, path.resolve(server)]));
  const names = new Set(started.map(({ stack }) => serverNameOf(stack)));
  const unused = given?.find(({ name }) => !names.has(name));
  if (unused) {
    const { name, server } = unused;
    throw new UsageError(
      names.size === 0
        ? `${from} and --server: no server of this plan is your own. Omit --server.`
        : `${from} and --server ${shellWord(`${name}=${server}`)}: this plan starts no server of that name. Its own servers: ${[...names].join(', ')}.`,
    );
  }
  const missing = started.filter(({ stack }) => !programs.has(serverNameOf(stack)));
  if (missing.length > 0) {
    const would = missing.map(({ stack, own }) => `${stack} by ${own?.program}`);
    const [{ stack } = { stack: '' }] = missing;
    const name = serverNameOf(stack);
    throw new UsageError(
      `${from} would start server programs: ${would.join(', ')}. A plan does not choose what is started: name the program of this machine by --server ${shellWord(name)}=PROGRAM.`,
    );
  }
  return arms.map((arm) => {
    const program = arm.own?.program && programs.get(serverNameOf(arm.stack));
    return program ? { ...arm, own: { program } } : arm;
  });
}

/**
 * Checks that the programs of a plan exist.
 * @throws UsageError for the first that cannot be started
 */
export function assertOwnPrograms(stacks: readonly Pick<Stack, 'stack' | 'own'>[]): void {
  for (const { stack, own } of stacks) {
    if (own && 'program' in own) assertCanStart(own.program, `${stack} is ${own.program}`);
  }
}

const EXPECTED = 'Expected a program that keeps the contract in servers/README.md.';

/**
 * @param subject begins messages
 * @param expected what the program should be, as a sentence
 * @throws UsageError for a file that cannot be started
 */
export function assertCanStart(program: string, subject: string, expected = EXPECTED): void {
  const found: Stats | undefined = statSync(program, { throwIfNoEntry: false });
  if (!found) throw new UsageError(`${subject}: ${program} does not exist. ${expected}`);
  if (!found.isFile()) throw new UsageError(`${subject}: it is no file. ${expected}`);
  try {
    accessSync(program, constants.X_OK);
  } catch {
    throw new UsageError(`${subject}: it is not executable. Try chmod +x ${shellWord(program)}`);
  }
  assertInterpreter(program, subject);
}

/** The system's own error says that the script does not exist, for both of these. */
function assertInterpreter(program: string, subject: string): void {
  const [, interpreter, rest = ''] =
    /^#![ \t]*([^\s\0]+)([^\n]*)\n/.exec(beginningOf(program)) ?? [];
  if (interpreter === undefined) return;
  if (rest.endsWith('\r')) {
    throw new UsageError(
      `${subject}: its lines end with CRLF, as on Windows, so it cannot run. Try sed -i 's/\\r$//' ${shellWord(program)}`,
    );
  }
  if (path.isAbsolute(interpreter) && !existsSync(interpreter)) {
    throw new UsageError(
      `${subject}: its first line names ${interpreter}, which does not exist. Install it, or change that line.`,
    );
  }
}

/** As many bytes as Linux reads to find the interpreter of a script. */
const FIRST_LINE_BYTES = 256;

/** First bytes of a file; empty also for an unreadable executable, which cannot be a script. */
function beginningOf(file: string): string {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const bytes = Buffer.alloc(FIRST_LINE_BYTES);
      return bytes.toString('latin1', 0, readSync(descriptor, bytes, 0, bytes.length, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return '';
  }
}

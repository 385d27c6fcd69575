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
import type { PlannedArm, PlanRecord } from '../ground/records/run.ts';
import type { Stack } from '../ground/stack.ts';
import { UsageError } from '../ground/system/errors.ts';
import { shellWord } from '../ground/system/shell-word.ts';
import { OWN_ENDINGS, ownStack } from '../servers/own-stack.ts';

/** Names of stacks that require `--server`. */
export const NAMES_WITH_SERVER: readonly string[] = Object.keys(OWN_ENDINGS).map(
  (ending) => `own${ending}`,
);

/**
 * The stacks of the user's own program; default: HTTP/3 and its twin over TCP.
 * @param file as the user gave it
 * @throws UsageError when it cannot be started
 */
export function stacksOfProgram(file: string): Stack[] {
  const program = path.resolve(file);
  assertCanStart(program, `--server ${file}`);
  return Object.entries(OWN_ENDINGS).map(([ending, protocol]) => ({
    ...ownStack(`own${ending}`, protocol, { program }),
    byDefault: ending === '-h3' || ending === '-h2',
  }));
}

/**
 * Sets the program of a plan's own servers to the one that the user gives. A plan may come from anywhere, so it does not choose programs.
 * @param given the file of --server; null: not given
 * @param from the plan's source in messages: `--plan a.json`
 * @throws UsageError when only one of the two has a program
 */
export function withOwnProgram(
  given: string | null,
  { arms }: Pick<PlanRecord, 'arms'>,
  from: string,
): PlannedArm[] {
  const named = arms.filter(({ own }) => own?.program !== undefined);
  if (named.length === 0 && given !== null) {
    throw new UsageError(
      `${from} and --server: no server of this plan is your own. Omit --server.`,
    );
  }
  if (named.length > 0 && given === null) {
    const programs = named.map(({ stack, own }) => `${stack} by ${own?.program}`);
    throw new UsageError(
      `${from} would start server programs: ${programs.join(', ')}. A plan does not choose what is started: name the program of this machine by --server PROGRAM.`,
    );
  }
  return arms.map((arm) =>
    arm.own?.program === undefined || given === null
      ? arm
      : { ...arm, own: { program: path.resolve(given) } },
  );
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

function assertCanStart(program: string, subject: string): void {
  const found: Stats | undefined = statSync(program, { throwIfNoEntry: false });
  if (!found) throw new UsageError(`${subject}: ${program} does not exist. ${EXPECTED}`);
  if (!found.isFile()) throw new UsageError(`${subject}: it is no file. ${EXPECTED}`);
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

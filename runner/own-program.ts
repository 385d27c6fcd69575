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

/** Names of stacks that there are with `--server` alone. */
export const NAMES_WITH_SERVER: readonly string[] = Object.keys(OWN_ENDINGS).map(
  (ending) => `own${ending}`,
);

/**
 * The stacks of a program of the user's own; a run that names none has HTTP/3 and its twin over TCP.
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
 * The arms of a plan, whose own servers are started by the program that the user gives: a plan comes from anywhere, and chooses none.
 * @param given the file of --server; null: the user gave none
 * @param from where the plan is, as it is in messages: `--plan a.json`
 * @throws UsageError where one of the two has a program and the other has not
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
 * Checks that the programs are there which a plan has.
 * @throws UsageError for the first that cannot be started
 */
export function assertOwnPrograms(stacks: readonly Pick<Stack, 'stack' | 'own'>[]): void {
  for (const { stack, own } of stacks) {
    if (own && 'program' in own) assertCanStart(own.program, `${stack} is ${own.program}`);
  }
}

const EXPECTED = 'Expected is a program that keeps the contract in servers/README.md.';

function assertCanStart(program: string, subject: string): void {
  const found: Stats | undefined = statSync(program, { throwIfNoEntry: false });
  if (!found) throw new UsageError(`${subject}: ${program} does not exist. ${EXPECTED}`);
  if (!found.isFile()) throw new UsageError(`${subject}: it is no file. ${EXPECTED}`);
  try {
    accessSync(program, constants.X_OK);
  } catch {
    throw new UsageError(`${subject}: it may not be executed. Try chmod +x ${shellWord(program)}`);
  }
  assertInterpreter(program, subject);
}

/** The system names neither of these: it says that the script does not exist. */
function assertInterpreter(program: string, subject: string): void {
  const [, interpreter, rest = ''] =
    /^#![ \t]*([^\s\0]+)([^\n]*)\n/.exec(beginningOf(program)) ?? [];
  if (interpreter === undefined) return;
  if (rest.endsWith('\r')) {
    throw new UsageError(
      `${subject}: its lines end as on Windows (CRLF), and no script can be run so. Try sed -i 's/\\r$//' ${shellWord(program)}`,
    );
  }
  if (path.isAbsolute(interpreter) && !existsSync(interpreter)) {
    throw new UsageError(
      `${subject}: its first line names ${interpreter}, which does not exist. Install it, or change that line.`,
    );
  }
}

/** As much as Linux reads of a script to find what runs it. */
const FIRST_LINE_BYTES = 256;

/** Empty also where a program may be executed and not read, which no script is. */
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

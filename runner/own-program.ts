import { accessSync, constants, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { OWN_ENDINGS, ownStack } from '../servers/own-stack.ts';
import type { Stack } from '../servers/stack.ts';
import { UsageError } from '../system/errors.ts';

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
 * Checks that the programs are there which a plan has.
 * @throws UsageError for the first that cannot be started
 */
export function assertOwnPrograms(stacks: readonly Pick<Stack, 'stack' | 'own'>[]): void {
  for (const { stack, own } of stacks) {
    if (own && 'program' in own) assertCanStart(own.program, `${stack} is ${own.program}`);
  }
}

const EXPECTED = 'Expected is a program that keeps the contract in servers/README.md.';

function assertCanStart(program: string, said: string): void {
  const found: Stats | undefined = statSync(program, { throwIfNoEntry: false });
  if (!found) throw new UsageError(`${said}: ${program} does not exist. ${EXPECTED}`);
  if (!found.isFile()) throw new UsageError(`${said}: it is no file. ${EXPECTED}`);
  try {
    accessSync(program, constants.X_OK);
  } catch {
    throw new UsageError(`${said}: it may not be executed. Try chmod +x ${program}`);
  }
}

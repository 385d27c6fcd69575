import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isHeadlessShell } from '../clients/chromium/headless-shell.ts';
import { hasEarlierLoad, type VisitKind } from '../clients/chromium/visit-kind.ts';
import { onDemandRuntimes, RUNTIMES, type RuntimeName } from '../servers/runtimes/index.ts';
import type { Runtime } from '../servers/runtimes/runtime.ts';
import type { Stack } from '../servers/stack.ts';
import { MachineError, UsageError } from '../system/errors.ts';
import { projectFolder } from '../system/project-folder.ts';

/** Programs of this machine that a run needs: the Chromium binary, and the runtime of every stack. */
export type Machine = Record<'chromium' | RuntimeName, string>;

/** What set-up found or installed; only set-up writes it. */
export const machineFile = path.join(projectFolder, '.setup', 'machine.json');

/**
 * Reads what set-up found on this machine.
 * @throws MachineError when set-up has not run or a program is gone since.
 */
export function readMachine(): Machine {
  if (!existsSync(machineFile))
    throw new MachineError('This machine is not set up yet. Run: npm run setup');
  const found = JSON.parse(readFileSync(machineFile, 'utf8')) as { chromium?: string };
  const chromium = process.env.CHROMIUM_PATH || (found.chromium ?? '');
  assertThere(
    'chromium',
    chromium,
    'Set CHROMIUM_PATH to a Chromium or Chrome binary, install one, or run: npm run setup',
  );
  const runtimes = Object.entries<Runtime>(RUNTIMES).map(([name, { program, onDemand }]) => {
    if (!onDemand) assertThere(name, program, 'Run: npm run setup');
    return [name, program];
  });
  return { chromium, ...(Object.fromEntries(runtimes) as Record<RuntimeName, string>) };
}

/**
 * Refuses stacks whose runtime set-up brings on demand, and has not brought yet.
 * @throws MachineError
 */
export function assertSetUp(stacks: readonly Pick<Stack, 'stack' | 'runtime'>[]): void {
  const missing = stacks.filter((stack) => !isSetUp(stack));
  if (missing.length === 0) return;
  const names = missing.map(({ stack }) => stack);
  throw new MachineError(
    `${names.join(', ')}: not set up on this machine. Run: ${setUpCommand(names)}`,
  );
}

/** Whether what runs a stack is on this machine; what always is counts without a look. */
export function isSetUp(stack: Pick<Stack, 'runtime'>): boolean {
  return onDemandRuntimes([stack]).every((name) => existsSync(RUNTIMES[name].program));
}

/** What sets up stacks that do not come with the project. */
export function setUpCommand(stacks: readonly string[]): string {
  return `npm run setup -- --stacks ${stacks.join()}`;
}

function assertThere(name: string, program: string, remedy: string): void {
  if (existsSync(program)) return;
  throw new MachineError(
    `${name} was expected at ${program || '(nowhere)'} and is not there. ${remedy}`,
  );
}

/**
 * Refuses a headless shell for visits that need Chromium's own page about its network, which it does not have.
 * @throws UsageError
 */
export function assertMakesVisits(
  { chromium }: Pick<Machine, 'chromium'>,
  visits: readonly VisitKind[],
): void {
  const needed = visits.filter((visit) => hasEarlierLoad(visit) && visit !== 'reload');
  if (needed.length === 0 || !isHeadlessShell(chromium)) return;
  throw new UsageError(
    `--visit ${needed.join()}: ${chromium} is a headless shell, which cannot close its connections between two loads. Let CHROMIUM_PATH name a whole Chromium, or load cold.`,
  );
}

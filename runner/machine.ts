import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isHeadlessShell } from '../clients/chromium/headless-shell.ts';
import { hasEarlierLoad, type VisitKind } from '../clients/visit-kind.ts';
import { BROWSERS, type BrowserKind } from '../ground/browser-kind.ts';
import type { HostFacts } from '../ground/records/run.ts';
import { bun } from '../ground/runtimes/bun.ts';
import { python } from '../ground/runtimes/python.ts';
import { onDemandRuntimes } from '../ground/runtimes/runtime.ts';
import { type Stack, serverStackOf } from '../ground/stack.ts';
import { MachineError, UnusableStacksError, UsageError } from '../ground/system/errors.ts';
import { madeFolder, projectFolder } from '../ground/system/folders.mjs';
import { readPlainTextSync } from '../ground/system/plain-file.ts';
import { readIfThere } from '../ground/system/read-if-there.ts';
import { shellWord } from '../ground/system/shell-word.ts';
import { dropRights, userChoice } from '../ground/system/unprivileged-user.ts';
import { RUNTIMES } from '../servers/index.ts';

/** Programs of this machine that every run needs. */
export interface Machine extends Record<'chromium' | 'bun' | 'python', string> {
  /** Binaries of the other browsers of a run, by name; absent: none. */
  browsers?: Readonly<Record<string, string>>;
}

/**
 * The browser that set-up found.
 * @param folder with set-up's files, which only set-up writes
 * @throws MachineError when set-up has not run, or what it wrote is damaged
 */
export function browserFoundBySetUp(
  kind: BrowserKind,
  folder: string = path.join(madeFolder, '.setup'),
): string {
  const { label, foundFile, setUp } = BROWSERS[kind];
  const file = path.join(folder, foundFile);
  if (!existsSync(file)) {
    const what = kind === 'chromium' ? 'This machine' : label;
    throw new MachineError(`${what} is not set up yet. Run: ${setUp}`);
  }
  try {
    const found = JSON.parse(readPlainTextSync(file))[kind];
    if (typeof found === 'string') return found;
  } catch {
    // Unreadable file, or invalid JSON.
  }
  throw new MachineError(`${file} is damaged. Run: ${setUp}`);
}

/** @throws MachineError when set-up has not found the browser, or it is gone since */
export function browserOfMachine(kind: BrowserKind): string {
  const { noun, variable, setUp } = BROWSERS[kind];
  const found = browserFoundBySetUp(kind);
  const program = process.env[variable] || found;
  assertThere(kind, program, `Set ${variable} to a ${noun} binary, install one, or run: ${setUp}`);
  return program;
}

/**
 * Rejects a project folder in which Bun finds no program: it takes `?` for the beginning of a query, and `\\` for `/`.
 * @throws MachineError
 */
export function assertBunCanRunIn(folder: string): void {
  const [character] = /[?\\]/.exec(folder) ?? [];
  if (character === undefined) return;
  throw new MachineError(
    `The project is in ${folder}, and Bun, which runs servers and the network path, cannot run anything in a folder with ${character} in its name. Move or rename it, then run: npm run setup`,
  );
}

/**
 * Reads what set-up found on this machine.
 * @throws MachineError when set-up has not run or a program is gone since.
 */
export function readMachine(): Machine {
  assertBunCanRunIn(projectFolder);
  const chromium = browserOfMachine('chromium');
  for (const { name, program, onDemand } of RUNTIMES) {
    if (!onDemand) assertThere(name, program, 'Run: npm run setup');
  }
  return { chromium, bun: bun.program, python: python.program };
}

/**
 * Rejects stacks whose runtime is installed on demand, and is not installed yet.
 * @throws UnusableStacksError
 */
export function assertSetUp(
  stacks: readonly Pick<Stack, 'stack' | 'runtime' | 'serverStack'>[],
): void {
  const missing = stacks.filter((stack) => !isSetUp(stack));
  if (missing.length === 0) return;
  const names = [...new Set(missing.map(serverStackOf))];
  throw new UnusableStacksError(names, `not set up on this machine. Run: ${setUpCommand(names)}`);
}

/** Whether the runtime of a stack is installed; those that always are need no check. */
export function isSetUp(stack: Pick<Stack, 'runtime'>): boolean {
  return onDemandRuntimes([stack]).every(({ program, installs = program }) => existsSync(installs));
}

/** Command that installs stacks which do not come with the project. */
export function setUpCommand(stacks: readonly string[]): string {
  return `npm run setup -- --stacks ${shellWord(stacks.join())}`;
}

function assertThere(name: string, program: string, remedy: string): void {
  if (existsSync(program)) return;
  throw new MachineError(
    `${name} was expected at ${program || '(nowhere)'} and is not there. ${remedy}`,
  );
}

/**
 * Rejects a headless shell for visits that need Chromium's page chrome://net-internals, which it lacks.
 * @param chromium path of the binary
 * @param remedy how to choose another one
 * @throws UsageError
 */
export function assertMakesVisits(
  chromium: string,
  visits: readonly VisitKind[],
  remedy: string,
): void {
  const needed = visits.filter((visit) => hasEarlierLoad(visit) && visit !== 'reload');
  if (needed.length === 0 || !isHeadlessShell(chromium)) return;
  throw new UsageError(
    `--visit ${needed.join()}: ${chromium} is a headless shell, which cannot close its connections between two loads. ${remedy}, or load cold.`,
  );
}

/**
 * Facts of this machine that a reader of the results may need.
 * @param programs of browser, servers and clients
 */
export function hostFacts(programs: readonly string[]): HostFacts {
  return {
    os: /^PRETTY_NAME="?([^"\n]+)/m.exec(readIfThere('/etc/os-release') ?? '')?.[1] ?? os.type(),
    kernel: os.release(),
    cpu: os.cpus()[0]?.model.trim() ?? 'unknown',
    cores: os.availableParallelism(),
    memoryMb: Math.round(os.totalmem() / 2 ** 20),
    loadAverage1m: os.loadavg()[0] ?? 0,
    programsUid: programsUid(programs),
  };
}

/** User id under which programs run; 0 when one of them needs root. */
function programsUid(programs: readonly string[]): number {
  const own = process.getuid?.() ?? 0;
  const areDropped = programs.map((program) => dropRights(program).length > 0);
  return areDropped.includes(false) ? own : (userChoice().user?.uid ?? own);
}

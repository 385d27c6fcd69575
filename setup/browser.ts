import { existsSync } from 'node:fs';
import { BROWSERS, type BrowserKind } from '../ground/browser-kind.ts';
import { complain } from '../ground/system/printed.mjs';
import { hasApt, installWithApt, systemId } from './apt.ts';
import { isProgram, run } from './command.mjs';
import { readStampedObject, writeStamp } from './folders.mjs';
import { SetupError } from './setup-error.mjs';
import type { Step } from './step.mjs';

/** How set-up finds or installs a browser. */
interface BrowserSource {
  kind: BrowserKind;
  /** Where it may be installed, binaries before wrappers. */
  paths: readonly string[];
  debianPackage: string;
  /** Whether a program's --version says that it is this browser. */
  isBrowser(version: string): boolean;
  /** Why it cannot be used nevertheless, as a clause after "which"; absent: it always can. */
  problemOf?(file: string, version: string): string | null;
  /** Downloads it as a last resort; absent: no download. */
  download?(): Promise<Download>;
}

/** Result of a download: the program, or another line for the list of ways to get the browser. */
export type Download = { program: string } | { way: string };

/** Finds a browser: the user's, an installed one, Debian's package, or a download. */
export function browserStep(source: BrowserSource): Step {
  const { kind } = source;
  const { label, noun, variable, foundFile } = BROWSERS[kind];
  const requestedPath = () => process.env[variable] || null;
  return {
    title: `looking for ${label}`,
    isDone() {
      const { [kind]: known, [`${kind}Path`]: requested } = readStampedObject(foundFile);
      return requested === requestedPath() && typeof known === 'string' && isProgram(known);
    },
    async run() {
      const requested = requestedPath();
      const problem = requested === null ? null : await problemOf(requested, source);
      if (problem !== null) {
        throw new SetupError(
          `${variable} is ${requested}, which ${problem}. Let it name a ${noun} binary, or unset it.`,
        );
      }
      const found = requested ?? (await find(source));
      complain(`set-up: ${label} is ${found}`);
      // Records the variable: a later change makes this result obsolete.
      const machine = { [kind]: found, [`${kind}Path`]: requested };
      writeStamp(foundFile, `${JSON.stringify(machine, null, 2)}\n`);
    },
  };
}

async function problemOf(file: string, source: BrowserSource): Promise<string | null> {
  if (!existsSync(file)) return 'is not there';
  if (!isProgram(file)) return 'is no program';
  const { ok, output } = await run(file, ['--version'], { timeoutMs: 20_000 });
  if (ok && source.isBrowser(output)) return source.problemOf?.(file, output) ?? null;
  const { label } = BROWSERS[source.kind];
  return `is no ${label}: --version says ${JSON.stringify(output.split('\n', 1)[0])}`;
}

/** @throws SetupError with the ways to get the browser */
async function find(source: BrowserSource): Promise<string> {
  const found = (await findInstalled(source)) ?? (await installFromDebian(source));
  if (found !== null) return found;
  const download = await source.download?.();
  if (download && 'program' in download) return download.program;
  const { kind, paths, debianPackage } = source;
  const { label, noun, variable } = BROWSERS[kind];
  const ways = [
    `set ${variable} to a ${noun} binary`,
    `install ${noun} (looked for: ${paths.join(', ')})`,
    `on Debian, run this as root: it then installs the package ${debianPackage}`,
    ...(download ? [download.way] : []),
  ];
  throw new SetupError(
    `No ${label} was found and none could be installed. Ways to get one:\n${ways.map((way) => `  - ${way}`).join('\n')}`,
  );
}

async function findInstalled(source: BrowserSource): Promise<string | null> {
  for (const file of source.paths.filter(isProgram)) {
    const problem = await problemOf(file, source);
    if (problem === null) return file;
    complain(`set-up: not used: ${file}, which ${problem}`);
  }
  return null;
}

async function installFromDebian(source: BrowserSource): Promise<string | null> {
  // Ubuntu's packages only install a snap, which cannot be automated from here.
  if (systemId() !== 'debian' || !hasApt) return null;
  const trouble = await installWithApt([source.debianPackage]);
  const found = trouble === null ? await findInstalled(source) : null;
  if (!found) complain(`set-up: apt could not install it: ${trouble}`);
  return found;
}

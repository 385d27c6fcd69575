import { existsSync, rmSync } from 'node:fs';
import { complain } from '../ground/system/printed.mjs';
import { hasApt, installWithApt, systemId } from './apt.ts';
import { isProgram, run } from './command.mjs';
import { inProject, readStamp, readStampedObject, writeStamp } from './folders.mjs';
import { SetupError } from './setup-error.mjs';
import type { Step } from './step.mjs';

// Binaries before wrappers: Debian's /usr/bin/chromium is a script that adds flags of its own.
const PROGRAM_PATHS = [
  '/usr/lib/chromium/chromium',
  '/usr/lib/chromium-browser/chromium-browser',
  '/opt/google/chrome/chrome',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
];
const DOWNLOADS = '.setup/browsers';
const DOWNLOADED = 'browsers-downloaded';
const WHOLE = 'whole\n';

/** Chromium for measurements: the user's, an installed one, Debian's package, or Puppeteer's download. */
export const chromium: Step = {
  title: 'looking for Chromium',
  isDone() {
    const { chromium: known, chromiumPath } = readStampedObject(MACHINE);
    return chromiumPath === requestedPath() && typeof known === 'string' && isProgram(known);
  },
  async run() {
    const found =
      (await requestedChromium()) ??
      findInstalled() ??
      (await installFromDebian()) ??
      (await downloadWithPuppeteer());
    complain(`set-up: Chromium is ${found}`);
    // Records CHROMIUM_PATH: a later change makes this result obsolete.
    const machine = { chromium: found, chromiumPath: requestedPath() };
    writeStamp(MACHINE, `${JSON.stringify(machine, null, 2)}\n`);
  },
};

// Read by runner/machine.ts.
const MACHINE = 'machine.json';

function requestedPath(): string | null {
  return process.env.CHROMIUM_PATH || null;
}

async function requestedChromium(): Promise<string | null> {
  const file = requestedPath();
  if (file === null) return null;
  const problem = await problemOf(file);
  if (problem === null) return file;
  throw new SetupError(
    `CHROMIUM_PATH is ${file}, which ${problem}. Let it name a Chromium or Chrome binary, or unset it.`,
  );
}

async function problemOf(file: string): Promise<string | null> {
  if (!existsSync(file)) return 'is not there';
  if (!isProgram(file)) return 'is no program';
  const { ok, output } = await run(file, ['--version'], { timeoutMs: 20_000 });
  // Chrome's own driver calls itself ChromeDriver.
  if (ok && /Chrom(e|ium)\b/.test(output)) return null;
  return `is no Chromium: --version says ${JSON.stringify(output.split('\n', 1)[0])}`;
}

function findInstalled(): string | null {
  return PROGRAM_PATHS.find(isProgram) ?? null;
}

async function installFromDebian(): Promise<string | null> {
  // Ubuntu's package only installs a snap, which cannot be automated from here.
  if (systemId() !== 'debian' || !hasApt) return null;
  const trouble = await installWithApt(['chromium']);
  const found = trouble === null ? findInstalled() : null;
  if (!found) complain(`set-up: apt could not install it: ${trouble}`);
  return found;
}

async function downloadWithPuppeteer(): Promise<string> {
  complain('set-up: downloading Chrome with Puppeteer ...');
  // Puppeteer accepts an existing folder as complete, even after a kill during its download.
  if (readStamp(DOWNLOADED) !== WHOLE)
    rmSync(inProject(DOWNLOADS), { recursive: true, force: true });
  const { ok, output } = await run(inProject('node_modules', '.bin', 'node'), [
    inProject('node_modules', '.bin', 'browsers'),
    'install',
    'chrome@stable',
    '--path',
    inProject(DOWNLOADS),
  ]);
  // It prints the browser's name and where it is.
  const found = /^chrome@\S+ (.+)$/m.exec(output)?.[1];
  if (ok && found && isProgram(found)) {
    writeStamp(DOWNLOADED, WHOLE);
    return found;
  }
  throw new SetupError(
    `No Chromium was found and none could be installed. Ways to get one:
  - set CHROMIUM_PATH to a Chromium or Chrome binary
  - install Chromium or Google Chrome (looked for: ${PROGRAM_PATHS.join(', ')})
  - on Debian, run this as root: it then installs the package chromium
  - let this machine reach Puppeteer's downloads, which said:
${output
  .split('\n')
  .slice(-5)
  .map((line) => `      ${line}`)
  .join('\n')}`,
  );
}

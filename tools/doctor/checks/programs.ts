import { existsSync } from 'node:fs';
import path from 'node:path';
import { listSites } from '../../../cache/catalogue.ts';
import { certificatesFolder } from '../../../certs/authority.ts';
import type { Client } from '../../../clients/client.ts';
import { CLIENTS, setUpCommand as setUpClient } from '../../../clients/index.ts';
import { BROWSERS, type BrowserKind } from '../../../ground/browser-kind.ts';
import type { Check, Finding } from '../../../ground/host/check.ts';
import type { Runtime } from '../../../ground/runtimes/runtime.ts';
import { nodeProgram } from '../../../ground/system/folders.mjs';
import { type ProgramOutput, runProgram } from '../../../ground/system/program-output.ts';
import { shellWord } from '../../../ground/system/shell-word.ts';
import { browserFoundBySetUp, setUpCommand } from '../../../runner/machine.ts';
import { RUNTIMES, STACKS } from '../../../servers/index.ts';
import { SET_UP } from '../network-agent.ts';
import { lackFinding, noteFinding, okFinding } from './finding.ts';

const WANTED_NODE_MAJOR = 24;

export const node: Check = {
  name: 'Node',
  async run() {
    const packaged = await runProgram(nodeProgram, ['--version']);
    return checkNode(process.versions.node, packaged.ok ? packaged.output : null);
  },
};

/**
 * @param running version of this process
 * @param packaged version in the npm packages, used by npm scripts; null: it does not run
 */
export function checkNode(running: string, packaged: string | null): Finding {
  if (packaged === null) {
    return lackFinding(
      `this is Node ${running}, but the project's own Node does not run`,
      `${SET_UP} (Node ${WANTED_NODE_MAJOR} comes with the npm packages)`,
    );
  }
  const version = packaged.replace(/^v/, '');
  if (Number.parseInt(version, 10) !== WANTED_NODE_MAJOR) {
    return lackFinding(`${version} in the npm packages, expected ${WANTED_NODE_MAJOR}`, SET_UP);
  }
  return okFinding(version);
}

export const runtimes: readonly Check[] = RUNTIMES.map((runtime) => ({
  name: runtime.title,
  async run() {
    const answer = await runProgram(runtime.program, runtime.versionArgs);
    const needs = runtime.install?.needs;
    const system = needs ? await runProgram(needs.program, needs.versionArg) : null;
    if (!runtime.onDemand) return checkRuntime(runtime, answer, system);
    const stacks = STACKS.filter((stack) => stack.runtime === runtime).map(({ stack }) => stack);
    return checkOnDemand(runtime, stacks, answer, system);
  },
}));

/**
 * @param stacks that run on it
 * @param answer its versions
 * @param system version of the system's program that set-up needs; null: none needed
 */
export function checkOnDemand(
  { versionsText, install }: Runtime,
  stacks: readonly string[],
  answer: ProgramOutput,
  system: ProgramOutput | null,
): Finding {
  if (answer.ok) return okFinding(versionsText(JSON.parse(answer.output)));
  const needs = install?.needs;
  const isThere = system?.ok && (needs?.isEnough?.(system.output) ?? true);
  const found = `not set up: only needed for --stacks ${shellWord(stacks.join())}`;
  const remedy = `Run: ${setUpCommand(stacks.slice(0, 1))}`;
  if (isThere || !needs) return noteFinding(found, remedy);
  const has = system?.ok
    ? `, and the system has ${system.output}`
    : `, and there is no ${needs.program}`;
  return noteFinding(`${found}${has}`, `${needs.remedy}. Then: ${remedy.replace('Run: ', '')}`);
}

/**
 * @param answer its versions
 * @param system version of the system's program that set-up needs; null: none needed
 */
export function checkRuntime(
  { versionsText, install }: Runtime,
  answer: ProgramOutput,
  system: ProgramOutput | null,
): Finding {
  if (answer.ok) return okFinding(versionsText(JSON.parse(answer.output)));
  if (!install || system === null) {
    const remedy = `${SET_UP} (it comes with the npm packages)`;
    return lackFinding(answer.reason, remedy);
  }
  if (!system.ok) {
    const remedy = `${install.needs.remedy}. Then: npm run setup`;
    return lackFinding(`no ${install.needs.program}`, remedy);
  }
  return lackFinding(
    `the project's environment is not complete (${answer.reason}); the system has ${system.output}`,
    SET_UP,
  );
}

export const chromium: Check = { name: 'Chromium', run: () => checkFound('chromium') };

export const firefox: Check = { name: 'Firefox', run: () => checkFound('firefox') };

async function checkFound(kind: BrowserKind): Promise<Finding> {
  const program = process.env[BROWSERS[kind].variable] || knownBrowser(kind);
  return checkBrowser(kind, program, program ? await runProgram(program, ['--version']) : null);
}

/** The browser that set-up found; undefined: set-up has not run for it, or its file is damaged. */
function knownBrowser(kind: BrowserKind): string | undefined {
  try {
    return browserFoundBySetUp(kind);
  } catch {
    return undefined;
  }
}

/** @param version output of the program; null: no program known */
export function checkBrowser(
  kind: BrowserKind,
  program: string | undefined,
  version: ProgramOutput | null,
): Finding {
  const { noun, variable, setUp: command } = BROWSERS[kind];
  const remedy = `Run: ${command} (it finds or installs one), or set ${variable} to a ${noun} binary`;
  if (!program || version === null) {
    return kind === 'chromium'
      ? lackFinding('unknown, because set-up has not run', remedy)
      : noteFinding('not set up: only needed for page loads in it (--browser)', remedy);
  }
  if (!version.ok) return lackFinding(`${program}: ${version.reason}`, remedy);
  const number = /\d+(\.\w+)+/.exec(version.output)?.[0] ?? version.output;
  return okFinding(`${number}, ${program}`);
}

export const clients: readonly Check[] = CLIENTS.flatMap((client) => {
  const { runtime } = client;
  if (runtime === null) return [];
  const readVersions = () => runProgram(runtime.program, runtime.versionArgs);
  const run = async () => checkClient(client, runtime, await readVersions());
  return { name: runtime.title, run };
});

/** @param answer its versions */
export function checkClient(
  client: Pick<Client, 'name'>,
  { versionsText }: Pick<Runtime, 'versionsText'>,
  answer: ProgramOutput,
): Finding {
  if (answer.ok) return okFinding(versionsText(JSON.parse(answer.output)));
  return noteFinding(
    `not set up (${answer.reason}): only needed for npm run connect -- --client ${shellWord(client.name)}`,
    `Run: ${setUpClient(client)}`,
  );
}

export const tshark: Check = {
  name: 'tshark',
  run: async () => checkTshark(await runProgram('tshark', ['--version'])),
};

/** @param answer its version */
export function checkTshark(answer: ProgramOutput): Finding {
  if (answer.ok) {
    const version = /\d+(\.\d+)+/.exec(answer.output)?.[0] ?? 'of unknown version';
    return okFinding(`${version}: reads captures of --packets`);
  }
  return noteFinding(
    `not installed (${answer.reason}): only needed to read captured packets (--packets)`,
    'On Debian and Ubuntu: apt-get install tshark',
  );
}

/** Certificates and pages that set-up creates. */
export const setUp: Check = {
  name: 'set-up',
  run: () =>
    checkSetUp({
      hasRun: knownBrowser('chromium') !== undefined,
      hasAuthority: existsSync(path.join(certificatesFolder, 'CA.pem')),
      sites: countSites(),
    }),
};

interface SetUpState {
  hasRun: boolean;
  hasAuthority: boolean;
  sites: number;
}

export function checkSetUp({ hasRun, hasAuthority, sites }: SetUpState): Finding {
  const missing = [
    ...(hasRun ? [] : ['the programs of this machine']),
    ...(hasAuthority ? [] : ['certificates']),
    ...(sites > 0 ? [] : ['the site cache']),
  ];
  if (missing.length === 0) return okFinding(`complete, ${sites} sites in the cache`);
  return lackFinding(
    `has not run completely: ${missing.join(', ')} missing`,
    `${SET_UP} (npm run benchmark does this itself)`,
  );
}

function countSites(): number {
  try {
    return listSites().length;
  } catch {
    return 0;
  }
}

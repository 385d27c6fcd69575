import path from 'node:path';
import { firefoxVersion, isOldVersion, OLDEST_VERSION } from '../clients/firefox/version.ts';
import { BROWSERS, browserKind, isFoundBySetUp } from '../ground/browser-kind.ts';
import type { Experiment } from '../ground/experiment.ts';
import { onDemandRuntimes, type Runtime } from '../ground/runtimes/runtime.ts';
import { type Stack, serverStackOf, splitVersion } from '../ground/stack.ts';
import { MachineError, UnusableStacksError, UsageError } from '../ground/system/errors.ts';
import { packagesFolder, projectFolder } from '../ground/system/folders.mjs';
import { packageVersion } from '../ground/system/identity.ts';
import { type ProgramOutput, runProgram } from '../ground/system/program-output.ts';
import { withoutRights } from '../ground/system/unprivileged-user.ts';
import { RUNTIMES } from '../servers/index.ts';
import { type Machine, setUpCommand } from './machine.ts';

/**
 * Versions of all programs that take part in a measurement of these stacks by this client.
 * @throws UnusableStacksError when the program of some stacks cannot report its version; MachineError for another program
 */
export async function versions(
  { chromium, browsers = {} }: Pick<Machine, 'chromium' | 'browsers'>,
  client: Experiment['client'],
  stacks: readonly Pick<Stack, 'stack' | 'runtime' | 'serverStack'>[],
): Promise<Record<string, string>> {
  const used = [...RUNTIMES.filter(({ onDemand }) => !onDemand), ...onDemandRuntimes(stacks)];
  const [ofClient, ...runtimes] = await Promise.all([
    client === 'chromium' ? browserVersions(chromium) : clientVersions(client),
    ...used.map((runtime) => {
      const names = stacks.filter((each) => each.runtime === runtime).map(serverStackOf);
      return runtime.onDemand
        ? outputOf(runtime, names)
        : output(runtime.program, runtime.versionArgs);
    }),
  ]);
  const ofBrowsers = await Promise.all(
    Object.entries(browsers).map(async (browser) => [browser[0], await browserVersion(browser)]),
  );
  const found = {
    'quic-vs-https': packageVersion(projectFolder),
    node: process.versions.node,
    ...ofClient,
    ...Object.assign(
      {},
      ...runtimes.map((answer, index) => named(JSON.parse(answer), used[index])),
    ),
  };
  const taken = Object.keys(browsers).find((name) => Object.hasOwn(found, name));
  if (taken === undefined) return { ...found, ...Object.fromEntries(ofBrowsers) };
  throw new UsageError(
    `--browser ${taken}@${browsers[taken]}: ${taken} is another program of the run. Give the browser another name, such as my-${taken}.`,
  );
}

/** @throws UsageError for a binary of another kind than its name says */
async function browserVersion([name, program]: readonly [string, string]): Promise<string> {
  const answer = await answerOf(program, ['--version']);
  const text = answer.ok ? answer.output : answer.reason;
  const kind = browserKind(name);
  const { read, example } = VERSIONS[kind];
  const version = read(answer.ok ? text : '');
  if (version !== null) return version;
  const given = isFoundBySetUp(name) ? `--browser ${name}` : `--browser ${name}@${program}`;
  throw new UsageError(
    `${given}: expected the binary of a ${BROWSERS[kind].noun}, whose --version is like ${example}. ${program} said ${JSON.stringify(text.split('\n', 1)[0]?.slice(0, MOST_SHOWN))}.`,
  );
}

/** How each kind of browser says its version, with an example; null: the program is no such browser, or too old. */
const VERSIONS = {
  chromium: {
    read: (text: string) => /(?<![\d.])\d+(\.\d+){3}(?![\d.])/.exec(text)?.[0] ?? null,
    example: 'Chromium 156.0.8078.108',
  },
  firefox: {
    read(text: string) {
      const version = firefoxVersion(text);
      return version === null || isOldVersion(version) ? null : version;
    },
    example: `Mozilla Firefox ${OLDEST_VERSION}.0, or newer`,
  },
};

const MOST_SHOWN = 100;

/** A chosen version of a library has an entry of its own, next to that of the installed one. */
function named(versions: Record<string, string>, { name = '' }: Partial<Runtime> = {}) {
  if (splitVersion(name)[1] === null) return versions;
  const texts = Object.entries(versions).map(([program, version]) => `${program} ${version}`);
  return { [name]: texts.join(', ') };
}

/** Versions of Chromium and its driver. */
async function browserVersions(chromium: string): Promise<Record<string, string>> {
  const answer = await output(chromium, ['--version']);
  return {
    chromium: answer.replace(/^\D+/, ''),
    'puppeteer-core': packageVersion(path.join(packagesFolder('puppeteer-core'), 'puppeteer-core')),
    'chrome-har': packageVersion(path.join(packagesFolder('chrome-har'), 'chrome-har')),
  };
}

/** Versions of a client that is installed on demand; empty for the rest: Bun is among the runtimes. */
async function clientVersions(name: string): Promise<Record<string, string>> {
  const { assertSetUp, CLIENTS } = await import('../clients/index.ts');
  const client = CLIENTS.find((each) => each.name === name);
  if (!client?.runtime) return {};
  assertSetUp(client);
  const { program, versionArgs } = client.runtime;
  return JSON.parse(await output(program, versionArgs));
}

/** Versions of a runtime without whose stacks a run can go on. */
async function outputOf(
  { program, installs = program, versionArgs }: Runtime,
  stacks: readonly string[],
): Promise<string> {
  return output(program, versionArgs).catch(() => {
    const names = [...new Set(stacks)];
    throw new UnusableStacksError(
      names,
      `${installs} does not work. Delete it, and run: ${setUpCommand(names)}`,
    );
  });
}

async function output(program: string, args: readonly string[]): Promise<string> {
  const answer = await answerOf(program, args);
  if (answer.ok) return answer.output;
  throw new MachineError(`${program} does not work: ${answer.reason}. Run: npm run setup`);
}

function answerOf(program: string, args: readonly string[]): Promise<ProgramOutput> {
  const [first = program, ...words] = withoutRights([program, ...args]);
  return runProgram(first, words);
}

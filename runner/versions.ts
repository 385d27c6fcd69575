import path from 'node:path';
import type { ConnectingClient } from '../clients/client.ts';
import { assertSetUp, CONNECTING_CLIENTS, clientNamed } from '../clients/index.ts';
import type { Experiment } from '../ground/experiment.ts';
import { onDemandRuntimes, RUNTIMES } from '../ground/runtimes/index.ts';
import type { Runtime } from '../ground/runtimes/runtime.ts';
import type { Stack } from '../ground/stack.ts';
import { MachineError } from '../ground/system/errors.ts';
import { readPlainTextSync } from '../ground/system/plain-file.ts';
import { programOutput } from '../ground/system/program-output.ts';
import { projectFolder } from '../ground/system/project-folder.ts';
import type { Machine } from './machine.ts';

/**
 * The version of every program that takes part in a measurement of these stacks by this client.
 * @throws MachineError when one of them does not even tell its version.
 */
export async function versions(
  { chromium }: Pick<Machine, 'chromium'>,
  client: Experiment['client'],
  stacks: readonly Pick<Stack, 'runtime'>[],
): Promise<Record<string, string>> {
  const asked = onDemandRuntimes(stacks);
  const used = Object.entries<Runtime>(RUNTIMES).filter(
    ([name, { onDemand }]) => !onDemand || asked.some((each) => each === name),
  );
  const [ofBrowser, ofClient, ...runtimes] = await Promise.all([
    client === 'chromium' ? browserVersions(chromium) : {},
    Object.hasOwn(CONNECTING_CLIENTS, client) ? clientVersions(clientNamed(client)) : {},
    ...used.map(([, { program, askVersions }]) => output(program, askVersions)),
  ]);
  return {
    'quic-vs-https': packageVersion('.'),
    node: process.versions.node,
    ...ofBrowser,
    ...ofClient,
    ...Object.assign({}, ...runtimes.map((answer) => JSON.parse(answer))),
  };
}

/** Of Chromium and of what drives it. */
async function browserVersions(chromium: string): Promise<Record<string, string>> {
  const answer = await output(chromium, ['--version']);
  return {
    chromium: answer.replace(/^\D+/, ''),
    'puppeteer-core': packageVersion('node_modules/puppeteer-core'),
    'chrome-har': packageVersion('node_modules/chrome-har'),
  };
}

/** Of a client that is set up on demand; Bun is among the runtimes. */
async function clientVersions(client: ConnectingClient): Promise<Record<string, string>> {
  const { runtime } = client;
  if (runtime === null) return {};
  assertSetUp(client);
  return JSON.parse(await output(runtime.program, runtime.askVersions));
}

async function output(program: string, args: readonly string[]): Promise<string> {
  const answer = await programOutput(program, args);
  if (answer.ok) return answer.output;
  throw new MachineError(`${program} does not work: ${answer.reason}. Run: npm run setup`);
}

function packageVersion(folder: string): string {
  const file = path.join(projectFolder, folder, 'package.json');
  return (JSON.parse(readPlainTextSync(file)) as { version: string }).version;
}

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { RUNTIMES } from '../servers/runtimes/index.ts';
import { MachineError } from '../system/errors.ts';
import { projectFolder } from '../system/project-folder.ts';
import type { Machine } from './machine.ts';
import { programOutput } from './program-output.ts';

/**
 * The version of every program that takes part in a measurement.
 * @throws MachineError when one of them does not even tell its version.
 */
export async function versions({
  chromium,
}: Pick<Machine, 'chromium'>): Promise<Record<string, string>> {
  const [browser, ...runtimes] = await Promise.all([
    output(chromium, ['--version']),
    ...Object.values(RUNTIMES).map(({ program, askVersions }) => output(program, askVersions)),
  ]);
  return {
    'quic-vs-https': packageVersion('.'),
    node: process.versions.node,
    chromium: browser.replace(/^\D+/, ''),
    ...Object.assign({}, ...runtimes.map((answer) => JSON.parse(answer))),
    'puppeteer-core': packageVersion('node_modules/puppeteer-core'),
    'chrome-har': packageVersion('node_modules/chrome-har'),
  };
}

async function output(program: string, args: readonly string[]): Promise<string> {
  const answer = await programOutput(program, args);
  if (answer.ok) return answer.output;
  throw new MachineError(`${program} does not work: ${answer.reason}. Run: npm run setup`);
}

function packageVersion(folder: string): string {
  const file = path.join(projectFolder, folder, 'package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

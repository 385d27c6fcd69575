import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { MachineError } from '../system/errors.ts';
import type { Machine } from './machine.ts';
import { projectFolder } from './stacks.ts';

/**
 * The version of every program that takes part in a measurement.
 * @throws MachineError when one of them does not even tell its version.
 */
export async function versions(machine: Machine): Promise<Record<string, string>> {
  const [chromium, bun, python] = await Promise.all([
    output(machine.chromium, ['--version']),
    output(machine.bun, ['--version']),
    output(machine.python, ['-c', PYTHON_VERSIONS]),
  ]);
  return {
    'quic-vs-https': packageVersion('.'),
    node: process.versions.node,
    chromium: chromium.replace(/^\D+/, ''),
    bun,
    ...(JSON.parse(python) as Record<string, string>),
    'puppeteer-core': packageVersion('node_modules/puppeteer-core'),
    'chrome-har': packageVersion('node_modules/chrome-har'),
  };
}

const PYTHON_VERSIONS = `
import json, platform
from importlib.metadata import version
print(json.dumps({"python": platform.python_version(), "flask": version("flask"), "gunicorn": version("gunicorn")}))
`;

async function output(program: string, args: string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(program, args, { timeout: 20_000 });
    return stdout.trim();
  } catch (error) {
    throw new MachineError(
      `${program} does not work: ${(error as Error).message.trim()}. Run: npm run setup`,
    );
  }
}

function packageVersion(folder: string): string {
  const file = path.join(projectFolder, folder, 'package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

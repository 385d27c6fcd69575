import { existsSync, globSync, statSync } from 'node:fs';
import path from 'node:path';
import { readSiteList } from '../../../cache/catalogue.ts';
import { readHosts } from '../../../ground/options/hosts.ts';
import { traces } from '../../../ground/options/traces.ts';
import { projectFolder } from '../../../ground/system/folders.mjs';
import { packetsCommand } from '../../../tools/packets/command.ts';
import { capture, KEYS_FILE } from './capture.ts';
import { type FuzzInput, oneFile } from './input.ts';
import type { Choices } from './random.ts';
import { written } from './written.ts';

/** Readers of files that become no site. */
export interface Reader {
  make: (choices: Choices) => FuzzInput;
  /** @param out a folder that may be written into */
  read: (file: string, out: string, print: (line: string) => void) => unknown;
}

const OWN: Readonly<Record<string, Reader>> = {
  trace: { make: (choices) => text(choices, traceLine), read: (file) => traces('trace', file) },
  hosts: { make: (choices) => text(choices, hostLine), read: (file) => readHosts([`@${file}`]) },
  sites: { make: (choices) => text(choices, siteLine), read: (file) => readSiteList(file) },
  capture: {
    make: capture,
    read: (file, out, print) => {
      const keys = path.join(path.dirname(file), path.basename(KEYS_FILE));
      const choices = {
        keys: existsSync(keys) ? keys : null,
        csv: path.join(out, 'csv'),
        qlog: path.join(out, 'qlog'),
        // It reads the capture once more.
        flow: statSync(file).size % 4 === 0 ? path.join(out, 'flow.html') : null,
        json: false,
      };
      const { signal } = new AbortController();
      return packetsCommand([file], choices, { latest: out, print, complain: print, signal });
    },
  },
};

/** With those of experiments: exports of `test/long/fuzz-readers.ts` in their folders. */
export const READERS: Readonly<Record<string, Reader>> = Object.assign(
  {},
  OWN,
  ...(await Promise.all(
    globSync('experiments/*/test/long/fuzz-readers.ts', { cwd: projectFolder }).map(
      async (file) => (await import(path.join(projectFolder, file))).READERS,
    ),
  )),
);

/** Lines as editors and shells of several systems write them. */
function text(choices: Choices, line: (choices: Choices, index: number) => string): FuzzInput {
  const count = choices.pick([0, 1, 3, 3, 10, 10, 1_000]);
  const lines = Array.from({ length: count }, (_, index) => line(choices, index));
  const content = lines.join(choices.pick(['\n', '\n', '\r\n', '\r'])) + choices.pick(['\n', '']);
  return oneFile('a/a.txt', written(choices, content));
}

function traceLine(choices: Choices, index: number): string {
  if (choices.chance(98)) return String(index * 5);
  return choices.pick(['# a', '', '0005', '1.5', '1e3', '-1', '99999999', '1 2', '1,2', '\t7']);
}

function hostLine(choices: Choices, index: number): string {
  if (choices.chance(80)) return `www${index}.example`;
  return choices.pick([
    '# a',
    '',
    '127.0.0.1:8443',
    '[::1]:443',
    '::1',
    'https://bücher.example/ä?b',
    'http://a.example:80',
    '1,www.example',
    '*.example',
    '"www.example"',
    '127.0.0.1 localhost',
    'a..b',
    'xn--a',
    '\u0000',
    '\u001b[2J',
    '[',
    'a@b',
    `${'a'.repeat(300)}.example`,
    '0x7f.1',
    'www.example:99999',
    'www.example # a',
  ]);
}

function siteLine(choices: Choices, index: number): string {
  if (choices.chance(90)) return `site-${index}`;
  return choices.pick(['# a', '', '../a', 'site-0', 'CON', '\u001b[2J', 'a b', 'x'.repeat(5_000)]);
}

import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { EXPORT_FORMATS } from '../../cache/exporters/index.ts';
import { EXIT } from '../../ground/system/exit-status.ts';
import { projectFolder } from '../../ground/system/folders.mjs';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { startCommand } from './command.ts';

/** Makes the project's folder read-only for the rest of this mount namespace. */
const READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && cd "$0" && exec "$@"';

const FORMAT = EXPORT_FORMATS[0]?.format ?? '';

const RUN = [
  'benchmark',
  '--sites',
  'www.example.org',
  '--stacks',
  'bun-h2',
  '--rtt',
  '0',
  '--repetitions',
  '1',
  '--warm-ups',
  '0',
];

/** Commands, and the exit status of each in a read-only project. */
const COMMANDS: readonly (readonly [words: (temporary: string) => string[], status: number])[] = [
  [(temporary) => [...RUN, '--out', path.join(temporary, 'run')], EXIT.ok],
  [() => RUN, EXIT.machine],
  [(temporary) => ['report', path.join(temporary, 'run')], EXIT.ok],
  [
    (temporary) => [
      'export',
      'www.example.org',
      '--to',
      FORMAT,
      '--out',
      path.join(temporary, 'site'),
    ],
    EXIT.ok,
  ],
  [() => ['export', 'www.example.org', '--to', FORMAT], EXIT.machine],
  [
    (temporary) => [
      'import',
      path.join(temporary, 'site'),
      '--name',
      'read-only.example',
      '--document',
      'https://www.example.org/',
    ],
    EXIT.machine,
  ],
  [(temporary) => [...RUN, '--freeze', path.join(temporary, 'plan.json')], EXIT.ok],
  [() => [...RUN, '--freeze', path.join(projectFolder, 'plan.json')], EXIT.machine],
  [() => ['sites'], EXIT.ok],
];

test(
  'runs each command in a read-only checkout, or reports what cannot be written',
  { skip: process.geteuid?.() !== 0 && 'only root can mount' },
  () =>
    withTemporaryFolder(async (temporary) => {
      for (const [wordsOf, status] of COMMANDS) {
        const words = wordsOf(temporary);
        const program = path.join(projectFolder, 'bin', 'quic-vs-https.ts');
        const shell = ['-c', READ_ONLY, projectFolder, process.execPath, program, ...words];
        const command = startCommand('unshare', ['--mount', 'sh', ...shell]);
        const ended = await command.ended;
        assert.equal(ended, status, `${words.join(' ')}: ${command.output()}`);
        if (status === EXIT.machine) assert.match(command.output(), /read-only/, words.join(' '));
      }
    }),
);

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import * as folders from '../../../../ground/system/folders.mjs';
import { temporaryFolder } from '../../../temporary-folder.ts';

type Folders = Record<'madeFolder' | 'cacheFolder' | 'outputFolder' | 'nodeProgram', string>;

test('a checkout keeps everything in itself', () => {
  const { projectFolder, madeFolder, cacheFolder, outputFolder } = folders;
  assert.deepEqual(
    [madeFolder, cacheFolder, outputFolder],
    [projectFolder, path.join(projectFolder, 'cache'), projectFolder],
  );
});

test('an installed package writes to the user’s folders, by version, and to the current folder', (t) => {
  const root = temporaryFolder(t);
  const dist = path.join(root, 'node_modules', 'quic-vs-https', 'dist');
  const file = path.join(dist, 'ground', 'system', 'folders.mjs');
  mkdirSync(path.join(root, 'node_modules', folders.NODE), { recursive: true });
  mkdirSync(path.join(root, 'here'));
  cpSync(path.join(folders.projectFolder, 'ground', 'system', 'folders.mjs'), file);
  writeFileSync(path.join(dist, 'package.json'), '{"version": "1.2.3"}');
  writeFileSync(path.join(dist, 'identity.json'), '{}');
  const script = `console.log(JSON.stringify(await import(${JSON.stringify(pathToFileURL(file).href)})))`;
  const foldersBy = (env: Record<string, string>): Folders =>
    JSON.parse(
      execFileSync(process.execPath, ['--input-type=module', '-e', script], {
        cwd: path.join(root, 'here'),
        env,
        encoding: 'utf8',
      }),
    );
  const byDefault = foldersBy({ HOME: '/home/someone' });
  assert.equal(byDefault.madeFolder, '/home/someone/.cache/quic-vs-https/1.2.3');
  assert.equal(byDefault.cacheFolder, '/home/someone/.local/share/quic-vs-https');
  assert.equal(byDefault.outputFolder, path.join(root, 'here'));
  assert.equal(byDefault.nodeProgram, path.join(root, 'node_modules', folders.NODE, 'bin/node'));
  const chosen = foldersBy({ HOME: '/home/someone', XDG_CACHE_HOME: '/c', XDG_DATA_HOME: '/d' });
  assert.deepEqual(
    [chosen.madeFolder, chosen.cacheFolder],
    ['/c/quic-vs-https/1.2.3', '/d/quic-vs-https'],
  );
  // The standard ignores relative paths.
  const relative = foldersBy({ HOME: '/home/someone', XDG_CACHE_HOME: 'c', XDG_DATA_HOME: '' });
  assert.deepEqual(relative, byDefault);
});

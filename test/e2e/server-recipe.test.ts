import path from 'node:path';
import { test } from 'node:test';
import { projectFolder } from '../../ground/system/folders.mjs';
import { isInstalled } from '../../setup/system-programs.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { assertMeasures } from './exported-server.ts';

const skip = !isInstalled('nginx') && 'nginx is not here';
test('loads a page through nginx by docs/recipes/any-server in Chromium', { skip }, () => {
  const start = path.join(projectFolder, 'docs', 'recipes', 'any-server', 'start.sh');
  return withTemporaryFolder((temporary) => assertMeasures(start, ['own-h2'], temporary));
});

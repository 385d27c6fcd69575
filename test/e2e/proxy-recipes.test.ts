import path from 'node:path';
import { test } from 'node:test';
import { projectFolder } from '../../ground/system/project-folder.ts';
import { isInstalled } from '../../setup/system-programs.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { assertMeasures } from './exported-server.ts';

for (const [recipe, program, stacks] of [
  ['caddy-proxy', 'caddy', ['own-h3', 'own-h2', 'own-h1']],
  ['nginx-proxy', 'nginx', ['own-h2', 'own-h1']],
] as const) {
  const skip = !isInstalled(program) && `${program} is not here`;
  test(`loads a page through the proxy of docs/recipes/${recipe} in Chromium`, { skip }, () => {
    const start = path.join(projectFolder, 'docs', 'recipes', recipe, 'start.sh');
    return withTemporaryFolder((temporary) => assertMeasures(start, stacks, temporary));
  });
}

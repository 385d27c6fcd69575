import path from 'node:path';
import { bun } from '../../ground/runtimes/bun.ts';
import { pythonEnvironment } from '../../ground/runtimes/python-environment.ts';
import type { Runtime } from '../../ground/runtimes/runtime.ts';
import { projectFolder } from '../../ground/system/project-folder.ts';

/**
 * Bun with a server program from PyPI that it starts.
 * @param name of the program and of its folder in servers/
 */
export function proxyRuntime({
  name,
  title,
  versionArg,
}: Pick<Runtime, 'name' | 'title'> & { versionArg: string }): Runtime & { installs: string } {
  const folder = `.setup/stacks/${name}`;
  const program = path.join(projectFolder, folder, 'bin', name);
  // Its output names the version first: `v2.11.7 h1:...`, `... version: <revision>/1.40.0/...`.
  const script = `
const { stdout } = Bun.spawnSync([${JSON.stringify(program)}, ${JSON.stringify(versionArg)}]);
console.log(JSON.stringify({ ${name}: /\\d+\\.\\d+\\.\\d+/.exec(String(stdout))[0] }));
`;
  const { install } = pythonEnvironment(
    folder,
    `servers/${name}/requirements.txt`,
    `installing ${title}`,
  );
  return {
    ...bun,
    name,
    title,
    installs: program,
    versionArgs: ['-e', script],
    versionsText: (versions) => `${versions[name]}`,
    onDemand: true,
    install,
  };
}

import path from 'node:path';
import { bun } from '../../ground/runtimes/bun.ts';
import { pythonEnvironment, pythonPackageAt } from '../../ground/runtimes/python-environment.ts';
import type { Runtime } from '../../ground/runtimes/runtime.ts';
import { madeFolder } from '../../ground/system/folders.mjs';

/**
 * Bun with a server program from PyPI that it starts.
 * @param name of the program and of its folder in servers/
 * @param packageName of the package that contains it
 */
export function proxyRuntime({
  name,
  title,
  packageName,
  versionArg,
}: Pick<Runtime, 'name' | 'title'> & { packageName: string; versionArg: string }): Runtime {
  const folder = `.setup/stacks/${name}`;
  const inEnvironment = (environment: string) => {
    const installs = path.join(madeFolder, environment, 'bin', name);
    // Its output names the version first: `v2.11.7 h1:...`, `... version: <revision>/1.40.0/...`.
    const script = `
const { stdout } = Bun.spawnSync([${JSON.stringify(installs)}, ${JSON.stringify(versionArg)}]);
console.log(JSON.stringify({ ${name}: /\\d+\\.\\d+\\.\\d+/.exec(String(stdout))[0] }));
`;
    return { program: bun.program, installs, versionArgs: ['-e', script] };
  };
  const { install } = pythonEnvironment(
    folder,
    `servers/${name}/requirements.txt`,
    `installing ${title}`,
  );
  return {
    ...bun,
    name,
    title,
    ...inEnvironment(folder),
    versionsText: (versions) => `${versions[name]}`,
    onDemand: true,
    install,
    versions: {
      library: name,
      at: (version, own) => ({
        ...pythonPackageAt(packageName, version, own),
        ...inEnvironment(own),
      }),
    },
  };
}

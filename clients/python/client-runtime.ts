import { pythonEnvironment } from '../../ground/runtimes/python-environment.ts';
import type { Runtime } from '../../ground/runtimes/runtime.ts';

/**
 * Python with the packages of one client, in a virtual environment of its own.
 * @param client its folder, which has requirements.txt
 * @param distribution the package that makes the connections
 */
export function clientRuntime(
  client: string,
  distribution: string,
): Required<Omit<Runtime, 'arguments' | 'installs' | 'versions'>> {
  const printVersions = `
import json, platform
from importlib.metadata import version
print(json.dumps({"python": platform.python_version(), "${distribution}": version("${distribution}")}))
`;
  return {
    name: `client-${client}`,
    title: `client ${client}`,
    ...pythonEnvironment(
      `.setup/clients/${client}`,
      `clients/${client}/requirements.txt`,
      `making the Python environment for the client ${client}`,
    ),
    onDemand: true,
    versionArgs: ['-c', printVersions],
    versionsText: ({ python, [distribution]: version }) =>
      `${distribution} ${version} (Python ${python})`,
  };
}

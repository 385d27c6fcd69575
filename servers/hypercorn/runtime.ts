import { pythonEnvironment } from '../../ground/runtimes/python-environment.ts';
import type { Runtime } from '../../ground/runtimes/runtime.ts';

// Its Flask is pinned to that of the other runtime, so that the record of a run has one version of it.
const ASK = `
import json
from importlib.metadata import version
print(json.dumps({name: version(name) for name in ("flask", "hypercorn", "aioquic", "h2")}))
`;

/** Python with Flask, hypercorn and aioquic in pinned versions, in a virtual environment of its own. */
export const hypercorn = {
  name: 'hypercorn',
  title: 'Python, hypercorn',
  ...pythonEnvironment(
    '.setup/stacks/hypercorn',
    'servers/hypercorn/requirements.txt',
    'making the Python environment for hypercorn',
  ),
  onDemand: true,
  askVersions: ['-c', ASK],
  versionsText: (versions) =>
    `hypercorn ${versions.hypercorn} with aioquic ${versions.aioquic}, h2 ${versions.h2} and Flask ${versions.flask}`,
} satisfies Runtime;

import { pythonEnvironment } from './python-environment.ts';
import type { Runtime } from './runtime.ts';

const VERSION_SCRIPT = `
import json, platform
from importlib.metadata import version
print(json.dumps({"python": platform.python_version(), "flask": version("flask"), "gunicorn": version("gunicorn")}))
`;

/** Python with pinned Flask and gunicorn in a virtual environment of the project; also runs the network path. */
export const python = {
  name: 'python',
  title: 'Python, Flask',
  ...pythonEnvironment(
    '.venv',
    'servers/flask/requirements.txt',
    'making the Python environment for Flask',
  ),
  versionArgs: ['-c', VERSION_SCRIPT],
  versionsText: (versions) =>
    `Python ${versions.python} with Flask ${versions.flask} and gunicorn ${versions.gunicorn}`,
} satisfies Runtime;

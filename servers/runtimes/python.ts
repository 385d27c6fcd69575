import path from 'node:path';
import type { Runtime } from './runtime.ts';

const ENVIRONMENT = path.join(import.meta.dirname, '..', '..', '.venv');
const PROGRAM = path.join(ENVIRONMENT, 'bin', 'python');
const REQUIREMENTS = 'servers/flask/requirements.txt';

const OLDEST = '3.11';
const NAMES = ['python3', 'python3.13', 'python3.12', 'python3.11'];
const OLD_ENOUGH = `import sys; sys.exit(sys.version_info < (${OLDEST.replace('.', ', ')}))`;

const ASK = `
import json, platform
from importlib.metadata import version
print(json.dumps({"python": platform.python_version(), "flask": version("flask"), "gunicorn": version("gunicorn")}))
`;

/** Python with Flask and gunicorn in pinned versions, in a virtual environment of the project; makes the network path too. */
export const python: Runtime = {
  title: 'Python, Flask',
  program: PROGRAM,
  askVersions: ['-c', ASK],
  versionsText: (versions) =>
    `Python ${versions.python} with Flask ${versions.flask} and gunicorn ${versions.gunicorn}`,
  install: {
    title: 'making the Python environment for Flask',
    madeFrom: [REQUIREMENTS],
    needs: {
      program: 'python3',
      askVersion: ['--version'],
      remedy: 'On Debian and Ubuntu: apt-get install python3 python3-venv',
    },
    run(command) {
      const system = NAMES.find((name) => command(name, ['-c', OLD_ENOUGH]).ok);
      if (!system) {
        return `Python ${OLDEST} or newer is needed and was not found as ${NAMES.join(', ')}. On Debian and Ubuntu: apt-get install python3 python3-venv`;
      }
      const made = command(system, ['-m', 'venv', '--clear', ENVIRONMENT]);
      if (!made.ok) {
        return `${system} cannot make a virtual environment (on Debian and Ubuntu: apt-get install python3-venv):\n${made.output}`;
      }
      const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
      const filled = command(PROGRAM, [...pip, '--require-hashes', '-r', REQUIREMENTS]);
      return filled.ok ? null : `pip install failed:\n${filled.output}`;
    },
  },
};

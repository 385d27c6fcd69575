import { existsSync, rmSync } from 'node:fs';
import { run } from './command.mjs';
import { SetupError } from './error.mjs';
import { fingerprint, inProject, readStamp, writeStamp } from './folders.mjs';

const REQUIREMENTS = 'servers/flask-h1/requirements.txt';
const MINIMUM = [3, 11];

/** The Python of the project's virtual environment. */
export const venvPython = inProject('.venv', 'bin', 'python');

/** Flask and gunicorn in pinned versions, in a virtual environment of the project. */
export const python = {
  name: 'python',
  title: 'making the Python environment for Flask',
  isDone: () => readStamp('python') === fingerprint(REQUIREMENTS) && existsSync(venvPython),
  run() {
    const system = findPython();
    rmSync(inProject('.venv'), { recursive: true, force: true });
    const venv = run(system, ['-m', 'venv', inProject('.venv')]);
    if (!venv.ok) {
      throw new SetupError(
        `${system} cannot make a virtual environment (on Debian and Ubuntu: apt-get install python3-venv):\n${venv.output}`,
      );
    }
    const pip = run(venvPython, [
      ...['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'],
      ...['--require-hashes', '-r', inProject(REQUIREMENTS)],
    ]);
    if (!pip.ok) throw new SetupError(`pip install failed:\n${pip.output}`);
    writeStamp('python', fingerprint(REQUIREMENTS));
  },
};

function findPython() {
  const candidates = ['python3', 'python3.13', 'python3.12', 'python3.11'];
  const check = `import sys; sys.exit(sys.version_info < (${MINIMUM.join(', ')}))`;
  const found = candidates.find((name) => run(name, ['-c', check]).ok);
  if (found) return found;
  throw new SetupError(
    `Python ${MINIMUM.join('.')} or newer is needed and was not found as ${candidates.join(', ')}. On Debian and Ubuntu: apt-get install python3 python3-venv`,
  );
}

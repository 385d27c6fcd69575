import path from 'node:path';
import type { Installation } from './runtime.ts';

const OLDEST = '3.11';
const NAMES = ['python3', 'python3.13', 'python3.12', 'python3.11'];
const OLD_ENOUGH = `import sys; sys.exit(sys.version_info < (${OLDEST.replace('.', ', ')}))`;

/** A virtual environment of the project, and how set-up makes it. */
export interface PythonEnvironment {
  program: string;
  install: Installation;
}

/**
 * Python with packages in pinned versions, apart from those of the system.
 * @param folder below the project's folder
 * @param requirements file below the project's folder, with the hash of every package
 */
export function pythonEnvironment(
  folder: string,
  requirements: string,
  title: string,
): PythonEnvironment {
  const environment = path.join(import.meta.dirname, '..', '..', folder);
  const program = path.join(environment, 'bin', 'python');
  return {
    program,
    install: {
      title,
      madeFrom: [requirements],
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
        const made = command(system, ['-m', 'venv', '--clear', environment]);
        if (!made.ok) {
          return `${system} cannot make a virtual environment (on Debian and Ubuntu: apt-get install python3-venv):\n${made.output}`;
        }
        const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
        const filled = command(program, [...pip, '--require-hashes', '-r', requirements]);
        return filled.ok ? null : `pip install failed:\n${filled.output}`;
      },
    },
  };
}

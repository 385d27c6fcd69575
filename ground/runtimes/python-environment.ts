import path from 'node:path';
import { madeFolder, projectFolder } from '../system/folders.mjs';
import type { Installation, RuntimeVersions } from './runtime.ts';

const OLDEST = '3.11';
const NAMES = ['python3', 'python3.13', 'python3.12', 'python3.11', '/usr/bin/python3'];
const OLD_ENOUGH = `import sys; sys.exit(sys.version_info < (${OLDEST.replace('.', ', ')}))`;

/** Whether all users can enter its parent folders. */
const REACHABLE =
  'import pathlib, sys; sys.exit(not all(f.stat().st_mode & 1 for f in pathlib.Path(sys.executable).resolve().parents))';

/** A virtual environment of the project, with its installation. */
interface PythonEnvironment {
  program: string;
  install: Installation;
}

/**
 * Python with pinned packages, separate from those of the system.
 * @param folder relative to what set-up makes
 * @param requirements file in the project with the hash of every package; null: no packages yet
 */
export function pythonEnvironment(
  folder: string,
  requirements: string | null,
  title: string,
): PythonEnvironment {
  const environment = path.join(madeFolder, folder);
  const program = path.join(environment, 'bin', 'python');
  return {
    program,
    install: {
      title,
      madeFrom: requirements === null ? [] : [requirements],
      needs: {
        program: 'python3',
        versionArg: ['--version'],
        remedy: 'On Debian and Ubuntu: apt-get install python3 python3-venv',
      },
      async run(command) {
        const found: string[] = [];
        for (const name of NAMES) {
          if ((await command(name, ['-c', OLD_ENOUGH])).ok) found.push(name);
        }
        if (process.getuid?.() === 0) {
          // As root, servers run as another user, who cannot start a Python in root's home.
          for (const name of found.toReversed()) {
            if ((await command(name, ['-c', REACHABLE])).ok) found.unshift(name);
          }
        }
        let trouble = `Python ${OLDEST} or newer is needed and was not found as ${NAMES.join(', ')}. On Debian and Ubuntu: apt-get install python3 python3-venv`;
        let isMade = false;
        for (const name of new Set(found)) {
          const made = await command(name, ['-m', 'venv', '--clear', environment]);
          isMade = made.ok;
          if (isMade) break;
          trouble = `${name} cannot make a virtual environment (on Debian and Ubuntu: apt-get install python3-venv):\n${made.output}`;
        }
        if (!isMade) return trouble;
        if (requirements === null) return null;
        const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
        const filled = await command(program, [
          ...pip,
          '--require-hashes',
          '-r',
          path.join(projectFolder, requirements),
        ]);
        return filled.ok ? null : `pip install failed:\n${filled.output}`;
      },
    },
  };
}

/**
 * Such an environment with another version of a package, and with what this needs.
 * @param requirements the other packages; null: none
 */
export function pythonPackageAt(
  packageName: string,
  version: string,
  folder: string,
  requirements: string | null = null,
): ReturnType<RuntimeVersions['at']> {
  const { program, install } = pythonEnvironment(folder, requirements, packageName);
  const pip = ['-m', 'pip', '--disable-pip-version-check'];
  return {
    program,
    madeFrom: install.madeFrom,
    needs: install.needs,
    async fetch(command) {
      const trouble = await install.run(command);
      if (trouble !== null) return trouble;
      const wanted = ['install', '--quiet', `${packageName}==${version}`];
      const got = await command(program, [...pip, ...wanted]);
      return got.ok ? null : got.output;
    },
    async known(command) {
      const { ok, output } = await command(program, [...pip, 'index', 'versions', packageName]);
      return ok ? (/^Available versions: (.*)$/m.exec(output)?.[1]?.split(', ') ?? []) : [];
    },
  };
}

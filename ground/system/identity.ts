import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { COMMIT_PATTERN, type Revision } from '../records/revision.ts';
import { MachineError } from './errors.ts';
import { projectFolder } from './folders.mjs';
import { readPlainTextSync } from './plain-file.ts';

/** Which code of this project runs. */
export interface Identity extends Revision {
  version: string;
}

const HASH = new RegExp(COMMIT_PATTERN);

const LIMIT_MS = 10_000;
const MOST_BYTES = 16_000_000;

/**
 * Reads which code is in a folder: from identity.json, which packages have, or from git.
 * @throws MachineError for an identity.json that is not valid
 */
export function readIdentity(folder = projectFolder): Identity {
  return { version: packageVersion(folder), ...(packagedRevision(folder) ?? gitRevision(folder)) };
}

export function packageVersion(folder: string): string {
  const file = path.join(folder, 'package.json');
  return (JSON.parse(readPlainTextSync(file)) as { version: string }).version;
}

/** null: the folder is no package with an identity. */
function packagedRevision(folder: string): Revision | null {
  const file = path.join(folder, 'identity.json');
  if (!existsSync(file)) return null;
  const { commit, dirty } = parsed(readPlainTextSync(file, { maxBytes: 10_000 }));
  if (isHashOrNull(commit) && (dirty === null || typeof dirty === 'boolean')) {
    return { commit, dirty };
  }
  throw new MachineError(
    `${file}: expected a JSON object with commit (a hash or null) and dirty (true, false or null). Install the package again.`,
  );
}

function parsed(text: string): { commit?: unknown; dirty?: unknown } {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

function isHashOrNull(value: unknown): value is string | null {
  return value === null || (typeof value === 'string' && HASH.test(value));
}

const UNKNOWN: Revision = { commit: null, dirty: null };

/** Untracked files do not count: they take effect only where a tracked file changes too. */
function gitRevision(folder: string): Revision {
  const gitFolder = path.join(folder, '.git');
  if (!existsSync(gitFolder)) return UNKNOWN;
  // With --git-dir, git neither searches parent folders nor refuses a repository of another user.
  const repository = [`--git-dir=${gitFolder}`, `--work-tree=${folder}`];
  const options = ['--no-optional-locks', '-c', 'core.fsmonitor=false'];
  const status = ['status', '--porcelain=v2', '--branch', '--no-ahead-behind', '-uno'];
  const { status: exitStatus, stdout } = spawnSync('git', [...repository, ...options, ...status], {
    cwd: folder,
    env: withoutGitVariables(process.env),
    encoding: 'utf8',
    timeout: LIMIT_MS,
    maxBuffer: MOST_BYTES,
  });
  const [, commit = ''] = /^# branch\.oid (\S+)$/m.exec(stdout ?? '') ?? [];
  if (exitStatus !== 0 || !HASH.test(commit)) return UNKNOWN;
  return { commit, dirty: /^[^#]/m.test(stdout) };
}

/** They may name another repository, as in a hook. */
function withoutGitVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_')));
}

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const MINIMAL = path.join(import.meta.dirname, 'e2e', 'own-program', 'minimal-program.ts');

/** A checkout as actions/checkout makes it: of the merge commit alone, without history. */
export interface PullRequest {
  workspace: string;
  /** Of the base into which the pull request is merged. */
  base: string;
  /** Of the merge, which is checked out. */
  merge: string;
  /** Base at the time of the event, older than that of the merge. */
  eventBase: string;
}

/** The server program of a commit, which `build` makes of the file `variant`. */
const BUILD = `
printf '#!/bin/sh\\nexec %s %s %s "$@"\\n' '${process.execPath}' '${MINIMAL}' "$(cat variant)" > start.sh
chmod +x start.sh
`;

/**
 * Makes a repository with a small server and a pull request that changes it.
 * @param variants of minimal-program.ts: in the base and in the pull request's head
 */
export function makePullRequest(
  folder: string,
  { base, head }: { base: string; head: string },
): PullRequest {
  const origin = path.join(folder, 'origin');
  const workspace = path.join(folder, 'workspace');
  const commit = (message: string, variant: string, ...parents: string[]) => {
    writeFileSync(path.join(origin, 'variant'), variant);
    git(origin, 'add', '.');
    const from = parents.flatMap((parent) => ['-p', parent]);
    return git(origin, 'commit-tree', ...from, '-m', message, git(origin, 'write-tree'));
  };
  mkdirSync(origin);
  git(origin, 'init', '--quiet');
  writeFileSync(path.join(origin, 'build.sh'), BUILD);
  const eventBase = commit('before', 'refuses-all');
  const merged = commit('base', base, eventBase);
  const merge = commit('merge', head, merged, commit('change', head, eventBase));
  git(origin, 'update-ref', 'refs/heads/main', merged);
  git(origin, 'update-ref', 'refs/pull/1/merge', merge);
  mkdirSync(workspace);
  git(workspace, 'init', '--quiet');
  git(workspace, 'remote', 'add', 'origin', `file://${origin}`);
  git(workspace, 'fetch', '--quiet', '--depth=1', 'origin', merge);
  git(workspace, 'checkout', '--quiet', 'FETCH_HEAD');
  return { workspace, base: merged, merge, eventBase };
}

/** Runs git with no settings of this machine; returns its output. */
export function git(folder: string, ...words: string[]): string {
  const settings = { 'user.name': 'test', 'user.email': 'test@example.org' };
  const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return execFileSync('git', ['-C', folder, ...given, ...words], {
    encoding: 'utf8',
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
  }).trim();
}

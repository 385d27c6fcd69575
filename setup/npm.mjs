import { run } from './command.mjs';

/**
 * Installs exactly what the lock file of a folder names; npm's messages go to stderr as they come.
 * @param {...string} options of npm ci
 * @returns {Promise<boolean>} whether it is installed
 */
export async function installFromLock(...options) {
  // Through npm's own script when npm started us: the same npm, and no guess where it is.
  const npm = process.env.npm_execpath;
  const [program, args] = npm ? [process.execPath, [npm]] : ['npm', []];
  const ci = ['ci', '--no-audit', '--no-fund', '--loglevel=error', ...options];
  return (await run(program, [...args, ...ci], { show: true })).ok;
}

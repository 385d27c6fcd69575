// Plain JavaScript, because set-up needs it before it installs a runtime for TypeScript.
import { existsSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** The root folder of the sources: of a checkout, or of an installed package, which nothing may change. */
export const projectFolder = path.join(import.meta.dirname, '..', '..');

/** Whether this is an installed package: its build names the commit it was made from. */
export const isPackage = existsSync(path.join(projectFolder, 'identity.json'));

/** Contains what set-up and runs make and can make again; an installed package has one per version. */
export const madeFolder = isPackage
  ? path.join(userFolder('XDG_CACHE_HOME', '.cache'), versionOfPackage())
  : projectFolder;

/** Contains the sites and videos of the user, which all versions share. */
export const cacheFolder = isPackage
  ? userFolder('XDG_DATA_HOME', '.local/share')
  : path.join(projectFolder, 'cache');

/** Contains the folders for results and exports. */
export const outputFolder = isPackage ? process.cwd() : projectFolder;

/** The npm packages whose programs run this project: those for this machine's processor, which need no install script. */
export const NODE = `node-linux-${process.arch}`;
export const BUN = `@oven/bun-linux-${process.arch === 'arm64' ? 'aarch64' : process.arch}`;

/** What npm needs to have installed them, as sentences. */
export const PROGRAM_NEEDS =
  'Expected Linux on x64 or arm64 with glibc, and an npm that does not omit optional packages (npm config get omit).';

export const nodeProgram = path.join(packagesFolder(NODE), NODE, 'bin', 'node');
export const bunProgram = path.join(packagesFolder(BUN), BUN, 'bin', 'bun');

/**
 * The program of an npm package, which npm may have installed next to this package instead of below it.
 * @param {string} program
 * @param {string} name of its package
 */
export function packagedProgram(program, name) {
  return path.join(packagesFolder(name), '.bin', program);
}

/**
 * The folder node_modules that contains an npm package.
 * @param {string} name
 */
export function packagesFolder(name) {
  for (let above = projectFolder; ; above = path.dirname(above)) {
    const folder = path.join(above, 'node_modules');
    if (existsSync(path.join(folder, name))) return folder;
    if (above === path.dirname(above)) return path.join(projectFolder, 'node_modules');
  }
}

/**
 * The project's own folder in a base folder of the XDG standard, which ignores relative paths.
 * @param {string} variable
 * @param {string} byDefault below the user's home
 */
function userFolder(variable, byDefault) {
  const given = process.env[variable] ?? '';
  const base = path.isAbsolute(given) ? given : path.join(homeFolder(), byDefault);
  return path.join(base, 'quic-vs-https');
}

/** HOME may be empty, or the user have no entry in the list of users. */
function homeFolder() {
  try {
    return os.homedir() || os.userInfo().homedir;
  } catch {
    return '/nonexistent';
  }
}

function versionOfPackage() {
  return JSON.parse(readFileSync(path.join(projectFolder, 'package.json'), 'utf8')).version;
}

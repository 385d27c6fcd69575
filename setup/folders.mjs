import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The project's root folder. */
export const root = path.join(import.meta.dirname, '..');

/**
 * A path below the project's root.
 * @param {...string} parts
 */
export const inProject = (...parts) => path.join(root, ...parts);

/**
 * Hex SHA-256 over files, and over all files below folders: changes when one of them changes.
 * @param {...string} paths below the project's root
 */
export function fingerprint(...paths) {
  const hash = createHash('sha256');
  for (const file of paths.flatMap(filesBelow))
    hash.update(file).update(readFileSync(inProject(file)));
  return hash.digest('hex');
}

function filesBelow(relative) {
  if (statSync(inProject(relative)).isFile()) return [relative];
  const entries = readdirSync(inProject(relative), { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
}

/**
 * Remembers what a step was done with, in .setup/<name>.
 * @param {string} name
 * @param {string} text
 */
export function writeStamp(name, text) {
  mkdirSync(inProject('.setup'), { recursive: true });
  writeFileSync(inProject('.setup', name), text);
}

/**
 * What a step was done with, or null.
 * @param {string} name
 * @returns {string | null}
 */
export function readStamp(name) {
  const file = inProject('.setup', name);
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

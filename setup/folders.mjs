import { createHash } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { madeFolder, projectFolder } from '../ground/system/folders.mjs';

/**
 * A path in the project, for sources.
 * @param {...string} parts
 */
export const inProject = (...parts) => path.join(projectFolder, ...parts);

/**
 * A path below the folder of what set-up makes.
 * @param {...string} parts
 */
export const inMade = (...parts) => path.join(madeFolder, ...parts);

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
    .map((entry) =>
      path.relative(projectFolder, path.join(entry.parentPath ?? entry.path, entry.name)),
    )
    .sort();
}

/**
 * Records the sources of a step in .setup/<name>: completely or not at all, even if the disk is full or the power fails.
 * @param {string} name
 * @param {string} text
 */
export function writeStamp(name, text) {
  const file = inMade('.setup', name);
  const unfinished = `${file}.unfinished`;
  mkdirSync(path.dirname(file), { recursive: true });
  // Left behind by a killed set-up.
  rmSync(unfinished, { recursive: true, force: true });
  try {
    const descriptor = openSync(unfinished, 'wx');
    try {
      writeFileSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    // A file cannot replace a folder.
    if (lstatSync(file, { throwIfNoEntry: false })?.isDirectory())
      rmSync(file, { recursive: true });
    renameSync(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/**
 * The recorded sources of a step; null: it was not done, or its stamp is not a readable file.
 * @param {string} name
 * @returns {string | null}
 */
export function readStamp(name) {
  const file = inMade('.setup', name);
  try {
    return lstatSync(file).isFile() ? readFileSync(file, 'utf8') : null;
  } catch {
    return null;
  }
}

/**
 * The object in a stamp; empty if the stamp is missing or damaged.
 * @param {string} name
 * @returns {Record<string, unknown>}
 */
export function readStampedObject(name) {
  try {
    const value = JSON.parse(readStamp(name) ?? 'null');
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/**
 * Whether a step was begun once, however damaged its stamp is.
 * @param {string} name
 */
export function hasStamp(name) {
  return lstatSync(inMade('.setup', name), { throwIfNoEntry: false }) !== undefined;
}

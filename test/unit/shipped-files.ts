import { globSync } from 'node:fs';
import path from 'node:path';

export const root = path.join(import.meta.dirname, '..', '..');

/** Folders whose code users do not run. */
const NOT_SHIPPED =
  /^(\.|node_modules|dist|results|exports|cache\/(sites|videos)\b)|(^|\/)(test|bench)\//;

/** Whether a file, by its path in the project, is part of the tests. */
export function isTest(file: string): boolean {
  return /(^|\/)test\//.test(file);
}

/**
 * Source files that users run, by their paths in the project; those of one extension, or several.
 */
export function shippedFiles(endings = '{ts,mjs}'): string[] {
  return globSync(`{*,!(node_modules|test)/**/*}.${endings}`, { cwd: root })
    .filter((file) => !NOT_SHIPPED.test(file) && !file.endsWith('.d.ts'))
    .toSorted();
}

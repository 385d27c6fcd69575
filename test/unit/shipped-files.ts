import { globSync } from 'node:fs';
import path from 'node:path';

export const root = path.join(import.meta.dirname, '..', '..');

/** The folders whose code is no user's. */
const NOT_SHIPPED = /^(\.|node_modules|test|bench|results|exports|cache\/(sites|videos))/;

/** Source files that users run, by their paths in the project; those of one ending, or several. */
export function shippedFiles(endings = '{ts,mjs}'): string[] {
  return globSync(`{*,!(node_modules|test|bench)/**/*}.${endings}`, { cwd: root })
    .filter((file) => !NOT_SHIPPED.test(file) && !file.endsWith('.d.ts'))
    .toSorted();
}

import path from 'node:path';

/** Chromium without what windows are made of, by its name. */
export function isHeadlessShell(chromium: string): boolean {
  return /headless[-_]shell/.test(path.basename(chromium));
}

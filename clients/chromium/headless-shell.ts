import path from 'node:path';

/** Whether the binary's name is that of Chromium without window support. */
export function isHeadlessShell(chromium: string): boolean {
  return /headless[-_]shell/.test(path.basename(chromium));
}

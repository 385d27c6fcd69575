import { readdirSync } from 'node:fs';
import path from 'node:path';
import { readPlainTextSync } from '../../../ground/system/plain-file.ts';

/** Where each browser has the policies of the machine, for all who use it. */
const CHROME = '/etc/opt/chrome/policies';
const CHROMIUM = '/etc/chromium/policies';
const KINDS = ['managed', 'recommended'];

/** The files with policies of this machine that forbid a browser QUIC. */
export function readPolicies(browser: string): string[] {
  const folder = path.basename(browser).includes('chrome') ? CHROME : CHROMIUM;
  return KINDS.flatMap((kind) => filesIn(path.join(folder, kind))).filter(forbidsQuic);
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => path.join(folder, name));
  } catch {
    // No folder, no policies.
    return [];
  }
}

function forbidsQuic(file: string): boolean {
  try {
    return JSON.parse(readPlainTextSync(file)).QuicAllowed === false;
  } catch {
    // The browser cannot read it either.
    return false;
  }
}

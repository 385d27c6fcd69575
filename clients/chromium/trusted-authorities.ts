import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { certificatesIn } from '../../ground/options/trust.ts';
import { MachineError } from '../../ground/system/errors.ts';
import { readPlainTextSync } from '../../ground/system/plain-file.ts';
import { lend } from '../../ground/system/unprivileged-user.ts';

const run = promisify(execFile);

/**
 * Makes a Chromium with this home trust the authorities of a PEM file, as certificates of its user.
 * @throws MachineError without the program certutil
 */
export async function trustAuthorities(home: string, pemFile: string): Promise<void> {
  const folders = [path.join(home, '.pki'), path.join(home, '.pki', 'nssdb')] as const;
  const [, database] = folders;
  await mkdir(database, { recursive: true });
  const certutil = (...words: string[]) => run('certutil', ['-d', `sql:${database}`, ...words]);
  try {
    await certutil('-N', '--empty-password');
    const file = path.join(database, 'authority.pem');
    for (const [index, certificate] of certificatesIn(readPlainTextSync(pemFile)).entries()) {
      await writeFile(file, certificate);
      await certutil('-A', '-n', `authority ${index}`, '-t', 'C,,', '-i', file);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new MachineError(
      '--trust needs the program certutil. Install it: apt-get install libnss3-tools',
    );
  }
  const files = ['cert9.db', 'key4.db', 'pkcs11.txt'].map((name) => path.join(database, name));
  await lend(...files, ...folders);
}

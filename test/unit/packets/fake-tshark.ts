import { chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { TimedPacket } from './made-packets.ts';

/** Replaces tshark's output by the line after the first of each capture, while the test lasts. */
export async function useFakeTshark(
  scope: { after(restore: () => void): void },
  folder: string,
  { lastWords = '' } = {},
): Promise<void> {
  const program = path.join(folder, 'tshark');
  await writeFile(program, `#!/bin/sh\n/usr/bin/tail -n +2 "$4"\n${lastWords}\n`);
  await chmod(program, 0o755);
  usePath(scope, folder);
}

/** Limits the search for programs to one folder, while the test lasts. */
export function usePath(scope: { after(restore: () => void): void }, folder: string): void {
  const { PATH } = process.env;
  process.env.PATH = folder;
  scope.after(() => {
    process.env.PATH = PATH;
  });
}

/** A capture in which the program above finds these packets. */
export function fakeCapture(packets: readonly TimedPacket[]): Buffer {
  const lines = packets.map(({ packet, atMs }) =>
    JSON.stringify({ ...packet, s: Math.floor(atMs / 1000), ns: (atMs % 1000) * 1e6 }),
  );
  return Buffer.concat([
    Buffer.from('0a0d0d0a', 'hex'),
    Buffer.from(`\n${lines.map((line) => `${line}\n`).join('')}`),
  ]);
}

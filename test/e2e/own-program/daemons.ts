import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** A server program that leaves daemons behind. */
export interface DaemonProgram {
  program: string;
  /** Mark of their command lines. */
  mark: string;
  /** Has a line for each start of the program: the number of existing daemons. */
  counts: string;
}

const MINIMAL = path.join(import.meta.dirname, 'minimal-program.ts');

/**
 * Daemons of every kind: with their own session, with another parent by a second fork, without the
 * program's environment, deaf to SIGTERM, with output still open, and, where permitted, outside the
 * namespace.
 */
export function daemonProgram(folder: string, variant: string): DaemonProgram {
  const at = (name: string) => `'${path.join(folder, name)}'`;
  const program = path.join(folder, 'start.sh');
  const mark = `tail -f ${path.join(folder, 'daemon')}`;
  const quiet = '</dev/null >/dev/null 2>&1';
  const daemon = (kind: string) => `tail -f ${at(`daemon-${kind}`)} 2>/dev/null`;
  const kinds = ['session', 'fork', 'clean', 'deaf', 'open', 'outside'];
  for (const kind of kinds) writeFileSync(path.join(folder, `daemon-${kind}`), '');
  const lines = [
    '#!/bin/sh',
    `pgrep -cf ${`'${mark}'`} >> ${at('counts')}`,
    `setsid ${daemon('session')} ${quiet} &`,
    `(setsid ${daemon('fork')} ${quiet} &) &`,
    `env -i setsid ${daemon('clean')} ${quiet} &`,
    `(trap '' TERM HUP INT; setsid ${daemon('deaf')} ${quiet} &)`,
    `setsid ${daemon('open')} &`,
    `nsenter --net=/proc/${process.pid}/ns/net setsid ${daemon('outside')} ${quiet} &`,
    `exec '${process.execPath}' '${MINIMAL}' ${variant} "$@"`,
  ];
  writeFileSync(program, `${lines.join('\n')}\n`, { mode: 0o755 });
  const counts = path.join(folder, 'counts');
  writeFileSync(counts, '');
  // The program may run as another user.
  chmodSync(counts, 0o666);
  return { program, mark, counts };
}

import { spawnSync } from 'node:child_process';
import { CLIENTS } from '../clients/index.ts';

/**
 * Python with the package aioquic, from a client that has it: as a server it sends Retry, as a
 * client it reports everything.
 * @throws Error when no such client is set up, as `npm test` does
 */
export function pythonWithQuic(): string {
  const programs = CLIENTS.flatMap(({ runtime }) => runtime?.program ?? []);
  const found = programs.find(
    (program) => spawnSync(program, ['-c', 'import aioquic']).status === 0,
  );
  if (found === undefined) throw new Error('No client with aioquic is set up.');
  return found;
}

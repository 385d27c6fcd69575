import { aioquic } from '../../clients/aioquic/client.ts';
import { assertSetUp } from '../../clients/index.ts';

/**
 * The Python that has aioquic, which sends Retry as a server and tells everything as a client.
 * @throws MachineError when it is not set up, as `npm test` does
 */
export function aioquicPython(): string {
  assertSetUp(aioquic);
  return aioquic.runtime?.program ?? '';
}

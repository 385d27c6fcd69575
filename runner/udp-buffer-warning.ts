import { type Check, runCheck } from '../ground/host/check.ts';
import { udpBuffers } from '../ground/host/udp-buffers.ts';
import { isOverQuic } from '../ground/records/protocol.ts';
import type { PlannedArm } from '../ground/records/run.ts';

/** What a run over QUIC should know of this machine's UDP buffers before its first load, as one line; null: nothing. */
export async function udpBufferWarning(
  arms: readonly Pick<PlannedArm, 'protocol'>[],
  check: Check = udpBuffers,
): Promise<string | null> {
  if (!arms.some(({ protocol }) => isOverQuic(protocol))) return null;
  const { name, status, found, remedy } = await runCheck(check);
  if (status === 'ok' || remedy === undefined) return null;
  return `Warning: ${name}: ${found}: ${remedy}`;
}

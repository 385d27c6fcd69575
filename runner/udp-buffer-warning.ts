import { isOverQuic } from '../ground/records/protocol.ts';
import type { PlannedArm } from '../ground/records/run.ts';
import { type Check, runCheck } from '../tools/doctor/check.ts';
import { udpBuffers } from '../tools/doctor/checks/network.ts';

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

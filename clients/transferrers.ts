import type { ProgramNeeds } from '../ground/system/unprivileged-user.ts';
import { startAnswering } from './answering-program.ts';
import { BUN_TRANSFER } from './bun/transfer.ts';
import { type BrowserPlace, chromiumTransferrer } from './chromium/transfer/transferrer.ts';
import { CURL_TRANSFER } from './curl/transfer.ts';
import { clientCommand, clientNamed } from './index.ts';
import { inParts, type TransferInParts } from './transfer-parts.ts';
import type { TransferMade, Transferrer } from './transferrer.ts';

/** Where a client that transfers runs. */
interface TransferringPlace extends BrowserPlace {
  programs: { bun: string; chromium: string };
}

const PROGRAMS: Readonly<Record<string, string>> = { bun: BUN_TRANSFER, curl: CURL_TRANSFER };

/**
 * Starts a client that transfers, for one arm.
 * @throws MachineError when it is not set up
 */
export async function startTransferrer(
  client: string,
  arm: string,
  place: TransferringPlace,
): Promise<Transferrer> {
  const { programs, enter } = place;
  if (client === 'chromium') return chromiumTransferrer(arm, place);
  const program = PROGRAMS[client] ?? '';
  const command = clientCommand({ ...clientNamed(client), program }, programs.bun);
  return answering(command, { enter });
}

/** A program that keeps nothing between transfers. */
function answering(command: readonly string[], needs: ProgramNeeds): Transferrer {
  const { pid, ask, close } = startAnswering<TransferInParts, TransferMade>(command, needs);
  return {
    pid,
    isWorn: false,
    prepare: async () => {},
    transfer: (asked) => ask(inParts(asked)),
    leave: async () => {},
    close,
  };
}

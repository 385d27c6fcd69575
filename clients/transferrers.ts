import type { ProgramNeeds } from '../ground/system/unprivileged-user.ts';
import { startAnswering } from './answering-program.ts';
import { clientCommand, clientFor } from './index.ts';
import { inParts, type TransferInParts } from './transfer-parts.ts';
import type { TransferMade, Transferrer, TransferringPlace } from './transferrer.ts';

/**
 * Starts a client that transfers, for one arm.
 * @throws MachineError when it is not set up
 */
export async function startTransferrer(
  name: string,
  arm: string,
  place: TransferringPlace,
): Promise<Transferrer> {
  const client = clientFor('transfer', name);
  const { by } = client.transfer;
  if (typeof by !== 'string') return by(arm, place);
  const { programs, enter } = place;
  return answering(clientCommand(client, by, programs.bun), { enter });
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

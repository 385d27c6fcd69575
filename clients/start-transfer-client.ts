import type { ProgramNeeds } from '../ground/system/unprivileged-user.ts';
import { clientCommand, clientFor } from './index.ts';
import { startRequestProgram } from './request-program.ts';
import type { TransferClient, TransferEnvironment, TransferResult } from './transfer-client.ts';
import { type SplitTransferRequest, splitTransfer } from './transfer-parts.ts';

/**
 * Starts a client that transfers, for one arm.
 * @throws MachineError when it is not set up
 */
export async function startTransferClient(
  name: string,
  arm: string,
  place: TransferEnvironment,
): Promise<TransferClient> {
  const client = clientFor('transfer', name);
  const { by } = client.transfer;
  if (typeof by !== 'string') return by(arm, place);
  const { programs, enter } = place;
  return startTransferProgram(clientCommand(client, by, programs.bun), { enter });
}

/** A program that keeps nothing between transfers. */
function startTransferProgram(command: readonly string[], needs: ProgramNeeds): TransferClient {
  const { pid, ask, close } = startRequestProgram<SplitTransferRequest, TransferResult>(
    command,
    needs,
  );
  return {
    pid,
    isWorn: false,
    prepare: async () => {},
    transfer: (request) => ask(splitTransfer(request)),
    leave: async () => {},
    close,
  };
}

import type { ProgramNeeds } from '../ground/system/unprivileged-user.ts';
import { clientCommand, clientFor } from './index.ts';
import { startRequestProgram } from './request-program.ts';
import type { TransferClient, TransferEnvironment, TransferResult } from './transfer-client.ts';
import { type SplitTransferRequest, splitTransfer } from './transfer-parts.ts';

/**
 * Starts a transfer client for one arm.
 * @throws MachineError if it is not set up
 */
export async function startTransferClient(
  name: string,
  arm: string,
  environment: TransferEnvironment,
): Promise<TransferClient> {
  const client = clientFor('transfer', name);
  const { by } = client.transfer;
  if (typeof by !== 'string') return by(arm, environment);
  const { programs, enter } = environment;
  return startTransferProgram(clientCommand(client, by, programs.bun), { enter });
}

/** Starts a program that keeps no state between transfers. */
function startTransferProgram(command: readonly string[], needs: ProgramNeeds): TransferClient {
  const { pid, request, close } = startRequestProgram<SplitTransferRequest, TransferResult>(
    command,
    needs,
  );
  return {
    pid,
    isWorn: false,
    prepare: async () => {},
    transfer: (transfer) => request(splitTransfer(transfer)),
    leave: async () => {},
    close,
  };
}

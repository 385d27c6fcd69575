import { type AnsweringProgram, startAnswering } from './answering-program.ts';
import { BUN_TRANSFER } from './bun/transfer.ts';
import type { AskedTransfer, TransferMade, Transferrer } from './transferrer.ts';

/** Where a client that transfers runs. */
export interface TransferringPlace {
  programs: { bun: string };
  /** What to put before a command so that it runs at the client's end of the path, on its cores. */
  enter: readonly string[];
}

/**
 * Starts a client that transfers, for one arm.
 * @throws MachineError when it is not set up
 */
export async function startTransferrer(
  client: string,
  _arm: string,
  { programs, enter }: TransferringPlace,
): Promise<Transferrer> {
  if (client === 'bun') return answering([...enter, programs.bun, BUN_TRANSFER]);
  throw new Error(`no client ${client} for transfers`);
}

function answering(command: readonly string[]): Transferrer {
  const program: AnsweringProgram<AskedTransfer, TransferMade> = startAnswering(command);
  return { pid: program.pid, transfer: program.ask, close: program.close };
}

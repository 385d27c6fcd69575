import { whyWindowsAreFixed } from '../../clients/transfer-windows.ts';
import type { RunValues } from '../../ground/options/benchmark.ts';
import type { RunChoices } from '../../ground/records/run.ts';
import type { Stack } from '../../ground/stack.ts';
import { UsageError } from '../../ground/system/errors.ts';

type AskedStack = Pick<Stack, 'stack' | 'protocol'>;

/**
 * What holds for all transfers of a run.
 * @throws UsageError for windows that somebody else than the client has, or that it cannot be given
 */
export function transferChoicesOf(
  values: RunValues,
  arms: readonly AskedStack[],
  client: string,
): NonNullable<RunChoices['transfers']> {
  const { upload, 'stream-window': streamWindow, 'receive-window': receiveWindow } = values;
  // The window of a connection is the kernel's by TCP, at both ends.
  if (streamWindow !== null) assertWindows('stream-window', arms, { upload, client });
  if (receiveWindow !== null) {
    const overQuic = arms.filter(({ protocol }) => protocol === 'h3');
    assertWindows('receive-window', overQuic, { upload, client });
  }
  return {
    direction: upload ? 'upload' : 'download',
    client,
    streamWindowBytes: streamWindow,
    receiveWindowBytes: receiveWindow,
    explains: values.explain,
    ...(values.profile && { profiles: values.profile }),
  };
}

function assertWindows(
  option: string,
  arms: readonly AskedStack[],
  { upload, client }: Pick<RunValues, 'upload'> & { client: string },
): void {
  for (const { stack, protocol } of arms) {
    if (upload && protocol !== 'http/1.1') {
      throw new UsageError(
        `--${option} and --upload do not go together with ${stack}: what limits an upload is the window of the server, which is its own.`,
      );
    }
    const why = whyWindowsAreFixed(client, protocol);
    if (why !== null) {
      throw new UsageError(
        `--${option} and --client ${client} do not go together with ${stack}: ${why}. Use --client bun, or leave ${stack} out of --stacks.`,
      );
    }
  }
}

import { clientFor } from '../../clients/index.ts';
import { whyWindowsAreFixed } from '../../clients/transfer-windows.ts';
import type { RunValues } from '../../ground/options/common.ts';
import { bytesOfSize } from '../../ground/options/sizes.ts';
import { limitKbps } from '../../ground/records/network.ts';
import { hasStreams, isOverQuic, isWithoutHttp } from '../../ground/records/protocol.ts';
import type { PlanRecord } from '../../ground/records/run.ts';
import type { Stack } from '../../ground/stack.ts';
import { UsageError } from '../../ground/system/errors.ts';
import { shellWord } from '../../ground/system/shell-word.ts';
import { durationText } from '../../kit/text/about-duration.ts';
import { urlOf } from '../../servers/own-stack.ts';
import type { Planning, PlanRequest } from '../planning.ts';
import { type TransferChoices, transfersOf } from './choices.ts';
import type { TRANSFER_OPTIONS } from './options.ts';

type TransferValues = RunValues<typeof TRANSFER_OPTIONS>;

type StackProtocol = Pick<Stack, 'stack' | 'protocol'>;

/** @throws UsageError for windows that do not belong to the client, or that it cannot set */
function transferChoicesOf(
  values: TransferValues,
  { arms, client }: Pick<PlanRequest, 'arms' | 'client'>,
): TransferChoices {
  const { upload, 'stream-window': streamWindow, 'receive-window': receiveWindow } = values;
  const running = arms.find((each) => urlOf(each) !== null);
  if (running) assertForRunning(running, values);
  const socket = arms.find(({ protocol }) => isWithoutHttp(protocol));
  if (socket && !clientFor('transfer', client).transfer.needsNoHttp) {
    throw new UsageError(
      `--client ${client} transfers by HTTP only, and ${socket.stack} is without HTTP. Use --client bun, or remove ${socket.stack} from --stacks.`,
    );
  }
  // With TCP the kernel has the window of a connection, at both ends.
  if (streamWindow !== null) assertWindows('stream-window', arms, { upload, client });
  if (receiveWindow !== null) {
    const overQuic = arms.filter(({ protocol }) => isOverQuic(protocol));
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

/** @throws UsageError for options that need a server of the run */
function assertForRunning({ stack }: StackProtocol, { size, profile }: TransferValues): void {
  const wrong =
    (size.length > 1 &&
      `--size ${size.join(',')}: it serves one file. Measure one size at a time, for example --size ${shellWord(size[0] ?? '')}`) ||
    (profile && '--profile: its process is not the run’s. Omit --profile');
  if (wrong) throw new UsageError(`${stack} is a running server, and ${wrong}.`);
}

function assertWindows(
  option: string,
  arms: readonly StackProtocol[],
  { upload, client }: Pick<TransferValues, 'upload'> & { client: string },
): void {
  for (const { stack, protocol } of arms) {
    if (upload && hasStreams(protocol)) {
      throw new UsageError(
        `--${option} and --upload cannot be combined with ${stack}: the window of an upload belongs to the server and is fixed.`,
      );
    }
    const why = whyWindowsAreFixed(client, protocol);
    if (why !== null) {
      throw new UsageError(
        `--${option} and --client ${client} cannot be combined with ${stack}: ${why}. Use --client bun, or remove ${stack} from --stacks.`,
      );
    }
  }
}

/** Warns of files that a link cannot carry within the timeout. */
function slowLinkNotices(plan: PlanRecord): string[] {
  const { subjects, networks, timeoutS } = plan;
  const { direction } = transfersOf(plan);
  const sizes = subjects.map(({ subject }) => ({ subject, bytes: bytesOfSize(subject) ?? 0 }));
  return networks.flatMap((network) => {
    const kbps = limitKbps(network, direction === 'download' ? 'toClient' : 'toServer');
    const takesS = (bytes: number) => (kbps === null ? 0 : (8 * bytes) / kbps / 1000);
    const late = sizes.filter(({ bytes }) => takesS(bytes) >= timeoutS);
    const largest = Math.max(...late.map(({ bytes }) => takesS(bytes)));
    if (late.length === 0 || kbps === null) return [];
    return [
      `${kbps.toLocaleString('en-US', { maximumFractionDigits: 0 })} kbit/s cannot carry ${late.map(({ subject }) => subject).join(', ')} within the timeout of ${timeoutS} s: the ${direction} of the largest takes at least ${durationText(1000 * largest)}. These transfers will fail. Use --timeout ${shellWord(String(Math.ceil(1.5 * largest)))}, a faster link, or smaller sizes.`,
    ];
  });
}

/** The subjects of transfers are sizes. */
export const planning: Planning = {
  choices: transferChoicesOf,
  subjects: ({ size }: TransferValues) => size,
  find: async (names) => (await import('../subjects.ts')).subjectsOfSizes(names),
  makesSubjects: true,
  receiveWindowBytes: (choices) => transfersOf({ choices }).receiveWindowBytes,
  samplesSenders: true,
  problem(plan) {
    const { client } = transfersOf(plan);
    const other = plan.arms.find((arm) => arm.client !== client);
    return other
      ? `choices.transfers.client is ${client}, and ${other.arm} has ${other.client}`
      : null;
  },
  notices: slowLinkNotices,
  programChecks: async () => (await import('./profiles/programs.ts')).profilerChecks,
  async prepare(choices) {
    const { profiles = [] } = transfersOf({ choices });
    if (profiles.length === 0) return;
    const { assertProfiles } = await import('./profiles/programs.ts');
    await assertProfiles(profiles);
  },
};

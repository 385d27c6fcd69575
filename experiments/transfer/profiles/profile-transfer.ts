import type { TransferClient, TransferRequest } from '../../../clients/transfer-client.ts';
import { processTreeOf } from '../../../ground/host/process-tree.ts';
import { readProcesses } from '../../../ground/host/processes.ts';
import type { Trial } from '../../../ground/records/run.ts';
import { withTemporaryFolder } from '../../../ground/system/temporary-folder.ts';
import { type Bench, pidOf } from '../../measuring.ts';
import { sampleStacks } from './flame.ts';
import { watchProcessor } from './processor.ts';
import { PROFILED_ENDS, type Profile, type ProfiledEnd, type ProfileKind } from './profile.ts';
import type { Profiler } from './profiler.ts';
import { countSystemCalls } from './syscalls.ts';

/** strace slows a program that calls the kernel for every packet down several times. */
const TIMEOUT_FACTOR = 10;

const PROFILERS: Readonly<
  Record<ProfileKind, (pids: ReadonlySet<number>, folder: string) => Profiler | Promise<Profiler>>
> = { cpu: watchProcessor, syscalls: countSystemCalls, flame: sampleStacks };

interface ProfilingResult {
  profiles: Profile[];
  /** Key of kind and end to the file's path, relative to the run's folder. */
  files: Record<string, string>;
  /** Whether the client has ended or is still busy. */
  isBroken: boolean;
}

/**
 * Makes an uncounted transfer for each kind of profile, and profiles both ends. A failed profile is
 * reported as a warning.
 */
export async function profileTransfer(
  { trial, request }: { trial: Trial; request: TransferRequest },
  { server, transferClient }: { server: Bench['servers'][number]; transferClient: TransferClient },
  kinds: readonly ProfileKind[],
  { path, results, warn, signal }: Bench,
): Promise<ProfilingResult> {
  const profiled: ProfilingResult = { profiles: [], files: {}, isBroken: false };
  for (const kind of kinds) {
    signal?.throwIfAborted();
    try {
      await transferClient.prepare();
      await path.apply({ ...trial.network, seed: trial.networkSeed }, { captures: false });
      const processes = readProcesses();
      const pids = {
        client: processTreeOf(processes, transferClient.pid),
        server: processTreeOf(processes, pidOf(server)),
      };
      const { made, seen } = await runProfiled(kind, pids, () =>
        transferClient.transfer({ ...request, timeoutMs: request.timeoutMs * TIMEOUT_FACTOR }),
      );
      if (made.error !== null) {
        profiled.isBroken ||= ['client-failed', 'timeout'].includes(made.error.code);
        throw new Error(made.error.reason);
      }
      for (const end of PROFILED_ENDS) {
        const { suffix, text, found } = seen[end];
        profiled.profiles.push({ kind, end, totalMs: made.lastByteMs, ...found });
        profiled.files[`${kind}-${end}`] = await results.writeProfile(
          `${trial.id}.${end}.${suffix}`,
          text,
        );
      }
    } catch (error) {
      signal?.throwIfAborted();
      warn(`No profile (${kind}) of ${trial.id}: ${(error as Error).message}`);
    }
    if (profiled.isBroken) break;
  }
  return profiled;
}

/** Makes a transfer while both ends are profiled; always stops the profilers. */
async function runProfiled<Made>(
  kind: ProfileKind,
  pids: Readonly<Record<ProfiledEnd, ReadonlySet<number>>>,
  make: () => Promise<Made>,
) {
  return withTemporaryFolder('profile', async (clientFolder) =>
    withTemporaryFolder('profile', async (serverFolder) => {
      const started: Profiler[] = [];
      const start = async (end: ProfiledEnd, folder: string) => {
        const profiler = await PROFILERS[kind](pids[end], folder);
        started.push(profiler);
        return profiler;
      };
      try {
        const client = await start('client', clientFolder);
        const server = await start('server', serverFolder);
        const made = await make();
        const [clientSeen, serverSeen] = await Promise.all([client.end(), server.end()]);
        return { made, seen: { client: clientSeen, server: serverSeen } };
      } finally {
        await Promise.all(started.map((profiler) => profiler.stop()));
      }
    }),
  );
}

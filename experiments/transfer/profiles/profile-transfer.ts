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

/** strace makes a program that calls the kernel for every packet some times slower. */
const TIMEOUT_FACTOR = 10;

const PROFILERS: Readonly<
  Record<ProfileKind, (pids: ReadonlySet<number>, folder: string) => Profiler | Promise<Profiler>>
> = { cpu: watchProcessor, syscalls: countSystemCalls, flame: sampleStacks };

/** What profiles of a transfer tell, and where their files are. */
interface ProfilingResult {
  profiles: Profile[];
  /** Kind and end to the path relative to the run's folder. */
  files: Record<string, string>;
  /** The client broke, or is still busy. */
  isBroken: boolean;
}

/**
 * Makes a transfer again for each kind of profile, both ends looked at. None of them counts: who is looked at is slower. What cannot be looked at is
 * told as a warning, and the run goes on.
 */
export async function profileTransfer(
  { trial, asked }: { trial: Trial; asked: TransferRequest },
  { server, transferrer }: { server: Bench['servers'][number]; transferrer: TransferClient },
  kinds: readonly ProfileKind[],
  { path, results, warn, signal }: Bench,
): Promise<ProfilingResult> {
  const profiled: ProfilingResult = { profiles: [], files: {}, isBroken: false };
  for (const kind of kinds) {
    signal?.throwIfAborted();
    try {
      await transferrer.prepare();
      await path.apply({ ...trial.network, seed: trial.networkSeed }, { captures: false });
      const processes = readProcesses();
      const pids = {
        client: processTreeOf(processes, transferrer.pid),
        server: processTreeOf(processes, pidOf(server)),
      };
      const { made, seen } = await runProfiled(kind, pids, () =>
        transferrer.transfer({ ...asked, timeoutMs: asked.timeoutMs * TIMEOUT_FACTOR }),
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

/** Has a transfer made while the programs of both ends are looked at, and ends that in any case. */
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

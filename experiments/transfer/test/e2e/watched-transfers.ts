import { execFileSync, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { manifestFile, readManifest } from '../../../../cache/manifest.ts';
import { SIZED_PATHS, sizedSite } from '../../../../cache/sized-site.ts';
import { startTransferClient } from '../../../../clients/start-transfer-client.ts';
import type { TransferRequest, TransferResult } from '../../../../clients/transfer-client.ts';
import { processTreeOf } from '../../../../ground/host/process-tree.ts';
import { readProcesses } from '../../../../ground/host/processes.ts';
import { DEFAULT_CONGESTION_CONTROL } from '../../../../ground/records/congestion-control.ts';
import type { NetworkCondition } from '../../../../ground/records/network.ts';
import { SENDER_SAMPLE_MS } from '../../../../ground/records/sender.ts';
import { addressOfHost } from '../../../../network/addresses.ts';
import { NOTHING_ADDED } from '../../../../network/conditions.ts';
import { withNetwork } from '../../../../network/network.ts';
import type { Path } from '../../../../network/path.ts';
import { matchedReceiveBufferBytes } from '../../../../network/receive-window.ts';
import { readMachine } from '../../../../runner/machine.ts';
import { withServers } from '../../../../runner/servers.ts';
import { MATCHED_TRANSPORT, STACKS } from '../../../../servers/index.ts';
import { ensureLeaves } from '../../../../test/leaves.ts';
import { withTemporaryFolder } from '../../../../test/temporary-folder.ts';
import { pidOf } from '../../../measuring.ts';
import {
  beginningOf,
  type TransferEnds,
  type WatchedTransfer,
  watchTransfer,
} from '../../watch-transfer.ts';

const HOST = 'files.example';

/** Options of a transfer; by default nothing is added to the path and nothing held back. */
export interface Special {
  network?: Partial<NetworkCondition>;
  direction?: TransferRequest['direction'];
  streams?: number;
  streamWindowBytes?: number;
  receiveWindowBytes?: number;
  /** For TCP, in segments. */
  initcwnd?: number;
  /** Time for which the server waits before each response. */
  waitMs?: number;
  /** Seed of the packet losses. */
  seed?: number;
  /** Whether both programs share one core with busy programs. */
  sharesCore?: boolean;
}

/** A file between one server and its client. */
export interface TransferBench extends TransferEnds {
  transfer(special?: Special): Promise<WatchedTransfer>;
  /** The same without observation. */
  unwatched(special?: Special): Promise<TransferResult>;
}

interface WatchedBench {
  stack: string;
  bytes: number;
  /** Default: Bun. */
  client?: string;
  /** Whether servers sample their transport. Default: true. */
  isSampled?: boolean;
  /** Whether the path captures packets of QUIC. */
  captures?: boolean;
  special?: Special;
}

/** A path with the initial windows of a run. */
export function withTransferPath<T>(use: (path: Path) => Promise<T>): Promise<T> {
  const { python } = readMachine();
  const options = {
    python,
    hosts: 1,
    congestionControl: DEFAULT_CONGESTION_CONTROL,
    initcwnd: MATCHED_TRANSPORT.initialWindowPackets,
    receiveBufferBytes: matchedReceiveBufferBytes(),
  };
  return withNetwork({ ...options, backend: 'auto' }, use);
}

/** Passes on a server of a file of this size at one end of a path, and a client at its far end. */
export function withTransfers<T>(
  networkPath: Path,
  { stack, bytes, client = 'bun', isSampled = true, captures = false, special = {} }: WatchedBench,
  use: (between: TransferBench) => Promise<T>,
): Promise<T> {
  return withTemporaryFolder(async (folder) => {
    const machine = readMachine();
    const { agent } = networkPath;
    const certsFolder = path.join(folder, 'certs');
    await ensureLeaves([HOST], certsFolder);
    const siteFolder = await sizedSite('file', bytes, path.join(folder, 'sites'));
    const { resources, ...manifest } = await readManifest(siteFolder);
    const waiting = resources.map((each) => ({ ...each, waitMs: special.waitMs ?? 0 }));
    await writeFile(manifestFile(siteFolder), JSON.stringify({ ...manifest, resources: waiting }));
    const servers = {
      machine,
      stacks: STACKS.filter((each) => each.stack === stack),
      certsFolder,
      site: 'file',
      siteFolder,
      thinkTime: 'recorded' as const,
      addresses: { [HOST]: addressOfHost(0) },
      enter: agent.enter('server'),
      logsFolder: folder,
      ...(isSampled && { sampleMs: SENDER_SAMPLE_MS }),
    };
    return withServers(servers, async ([server]) => {
      if (!server) throw new Error(`no stack ${stack}`);
      const place = {
        programs: machine,
        enter: agent.enter('client'),
        servers: [server],
        url: `https://${HOST}/`,
      };
      const transferClient = await startTransferClient(client, stack, place);
      const ends = { server, transferClient };
      const begun = async <R>(
        special: Special,
        isWatched: boolean,
        go: (request: TransferRequest) => Promise<R>,
      ): Promise<R> => {
        const { network, seed = 1, receiveWindowBytes = null, initcwnd } = special;
        const request = transferRequest(
          server.stack.protocol,
          server.origins[HOST] ?? '',
          bytes,
          special,
        );
        await networkPath.setTcp({ receiveWindowBytes, ...(initcwnd && { initcwnd }) });
        const condition = { ...NOTHING_ADDED, ...network, seed };
        const options = isWatched ? beginningOf(request, { captures }) : {};
        await networkPath.apply(condition, options);
        await transferClient.prepare();
        const transferIt = () => go(request);
        try {
          return await (special.sharesCore ? onBusyCore(ends, transferIt) : transferIt());
        } finally {
          await transferClient.leave();
        }
      };
      try {
        return await use({
          ...ends,
          transfer: (special = {}) =>
            begun(special, true, (request) =>
              watchTransfer(request, ends, {
                path: networkPath,
                rttMs: special.network?.rttMs ?? 0,
                captures,
              }),
            ),
          unwatched: (special = {}) => begun(special, false, transferClient.transfer),
        });
      } finally {
        await transferClient.close();
      }
    });
  });
}

/** Runs while both programs share a core with as many busy ones as keep it from them. */
async function onBusyCore<T>(ends: TransferEnds, run: () => Promise<T>): Promise<T> {
  const pids = [pidOf(ends.server), ends.transferClient.pid];
  const cores = coresOf(process.pid);
  const first = cores.split(/[-,]/)[0] ?? '0';
  // Each in its own session: the kernel shares a core among sessions.
  const busy = Array.from({ length: BUSY_PROGRAMS }, () =>
    spawn('taskset', ['--cpu-list', first, 'sh', '-c', 'while :; do :; done'], { detached: true }),
  );
  try {
    pinToCores(pids, first);
    return await run();
  } finally {
    for (const each of busy) each.kill('SIGKILL');
    pinToCores(pids, cores);
  }
}

const BUSY_PROGRAMS = 12;

export function coresOf(pid: number): string {
  const text = execFileSync('taskset', ['--pid', '--cpu-list', `${pid}`], { encoding: 'utf8' });
  return text.trim().split(': ')[1] ?? '';
}

/** Pins all threads of these processes and their descendants. */
export function pinToCores(pids: readonly number[], cores: string): void {
  for (const pid of pids.flatMap((each) => [...processTreeOf(readProcesses(), each)])) {
    execFileSync('taskset', ['--all-tasks', '--pid', '--cpu-list', cores, `${pid}`]);
  }
}

function transferRequest(
  protocol: TransferRequest['protocol'],
  address: string,
  bytes: number,
  { direction = 'download', streams = 1, streamWindowBytes, receiveWindowBytes }: Special,
): TransferRequest {
  return {
    protocol,
    host: HOST,
    address,
    direction,
    path: SIZED_PATHS[direction],
    bytes,
    streams,
    streamWindowBytes: streamWindowBytes ?? null,
    connectionWindowBytes: protocol === 'h3' ? (receiveWindowBytes ?? null) : null,
    congestionControl: null,
    durationMs: null,
    timeoutMs: 30_000,
  };
}

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { manifestFile, readManifest } from '../../../../cache/manifest.ts';
import { SIZED_PATHS, sizedSite } from '../../../../cache/sized-site.ts';
import { startTransferClient } from '../../../../clients/start-transfer-client.ts';
import type { TransferRequest, TransferResult } from '../../../../clients/transfer-client.ts';
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
}

/** A file between one server and its client. */
export interface TransferBench extends TransferEnds {
  transfer(special?: Special): Promise<WatchedTransfer>;
  /** The same without observation. */
  unwatched(special?: Special): Promise<TransferResult>;
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
  {
    stack,
    bytes,
    client = 'bun',
    isSampled = true,
    special = {},
  }: { stack: string; bytes: number; client?: string; isSampled?: boolean; special?: Special },
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
        await networkPath.apply(condition, isWatched ? beginningOf(request) : {});
        await transferClient.prepare();
        try {
          return await go(request);
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

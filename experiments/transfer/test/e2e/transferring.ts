import { readFileSync } from 'node:fs';
import { manifestFile, type SiteManifest } from '../../../../cache/manifest.ts';
import { SIZED_PATHS, sizedSite } from '../../../../cache/sized-site.ts';
import { clientsFor } from '../../../../clients/index.ts';
import { startTransferClient } from '../../../../clients/start-transfer-client.ts';
import type {
  TransferClient,
  TransferRequest,
  TransferResult,
} from '../../../../clients/transfer-client.ts';
import type { PathCounts } from '../../../../ground/records/network.ts';
import type { Stack } from '../../../../ground/stack.ts';
import { NOTHING_ADDED } from '../../../../network/conditions.ts';
import { readMachine } from '../../../../runner/machine.ts';
import type { Server } from '../../../../runner/servers.ts';
import { type PathBench, withPathBench } from '../../../../test/e2e/path-bench.ts';
import { withTemporaryFolder } from '../../../../test/temporary-folder.ts';

export const CLIENTS = clientsFor('transfer').map(({ name }) => name);

const HOST = 'files.example';

/** A file of this size at the far end of a path. */
export function withSizedBench(
  bytes: number,
  stacks: readonly Stack[],
  use: (bench: PathBench) => Promise<void>,
): Promise<void> {
  return withTemporaryFolder(async (sites) => {
    const folder = await sizedSite(`${bytes}B`, bytes, sites);
    const manifest = JSON.parse(readFileSync(manifestFile(folder), 'utf8')) as SiteManifest;
    await withPathBench({ folder, manifest }, use, { stacks });
  });
}

/** A client that transfers from a server of a bench. */
export async function withTransferrer<T>(
  client: string,
  { stack }: Server,
  { networkPath, servers, manifest }: PathBench,
  use: (transferrer: TransferClient) => Promise<T>,
): Promise<T> {
  const transferrer = await startTransferClient(client, stack.stack, {
    programs: readMachine(),
    enter: networkPath.agent.enter('client'),
    servers,
    url: manifest.url,
  });
  try {
    return await use(transferrer);
  } finally {
    await transferrer.close();
  }
}

/** Options of a transfer in a test. */
export interface TransferOptions extends Partial<TransferRequest> {
  rttMs?: number;
  downKbps?: number | null;
  upKbps?: number | null;
  lossPercent?: number;
  /** Seed of the losses. */
  seed?: number;
  /** Called when it has begun. */
  onBegin?: () => void;
}

/** One transfer of the file of a bench, as a run makes it. */
export async function transferOnce(
  transferrer: TransferClient,
  server: Server,
  { networkPath, manifest }: PathBench,
  {
    rttMs = 0,
    downKbps = null,
    upKbps = null,
    lossPercent = 0,
    seed = 1,
    onBegin = () => {},
    ...request
  }: TransferOptions = {},
): Promise<{ made: TransferResult; counts: PathCounts; connections: number }> {
  const file = manifest.resources.find(({ url }) => url.endsWith(SIZED_PATHS.download));
  const direction = request.direction ?? 'download';
  await transferrer.prepare();
  const network = { ...NOTHING_ADDED, rttMs, downKbps, upKbps, lossPercent };
  await networkPath.apply({ ...network, seed });
  const transferring = transferrer.transfer({
    protocol: server.stack.protocol,
    host: HOST,
    address: server.origins[HOST] ?? '',
    direction,
    path: SIZED_PATHS[direction],
    bytes: file?.wireBytes ?? 0,
    streams: 1,
    streamWindowBytes: null,
    connectionWindowBytes: null,
    congestionControl: null,
    durationMs: null,
    timeoutMs: 20_000,
    ...request,
  });
  onBegin();
  const made = await transferring;
  const { opened } = await networkPath.connections(made.keyLog);
  const counts = await networkPath.count();
  await transferrer.leave();
  return { made, counts, connections: opened.length };
}

/** Every client with every server of a bench. */
export async function withEach(
  bench: PathBench,
  use: (client: string, server: Server) => Promise<void>,
): Promise<void> {
  for (const client of CLIENTS) for (const server of bench.servers) await use(client, server);
}

/** One transfer by a client that was just started. */
export function transferBy(client: string, server: Server, bench: PathBench, how: TransferOptions) {
  return withTransferrer(client, server, bench, (transferrer) =>
    transferOnce(transferrer, server, bench, how),
  );
}

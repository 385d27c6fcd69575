import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { getCACertificates } from 'node:tls';
import { bun } from '../../clients/bun/client.ts';
import { quicConnector } from '../../clients/quic-connector.ts';
import type { RunValues } from '../../ground/options/common.ts';
import { type Host, readHosts } from '../../ground/options/hosts.ts';
import type { LIVE_OPTIONS } from '../../ground/options/live.ts';
import type { OptionTable, RawOptions } from '../../ground/options/row.ts';
import { trustOf } from '../../ground/options/trust.ts';
import { valuesOf } from '../../ground/options/values.ts';
import { writeFileAtomically } from '../../ground/records/atomic-file.ts';
import { openLines } from '../../ground/records/lines-file.ts';
import type { ProbeRecord } from '../../ground/records/probe.ts';
import { assertNew } from '../../ground/system/assert-new.ts';
import { EXIT, UsageError } from '../../ground/system/exit-status.ts';
import { reasonOf } from '../../ground/system/file-error.ts';
import { readPlainText } from '../../ground/system/plain-file.ts';
import { readAsTable } from '../../network/as-table.ts';
import { readMachine } from '../../runner/machine.ts';
import { realFolder } from '../../runner/real-folder.ts';
import { resultsFolder } from '../../runner/results.ts';
import { Adoption } from './adoption.ts';
import { CSV_HEAD, csvRow, growingTable } from './columns.ts';
import { probePage } from './page.ts';
import { type ProbeOptions, probeHost } from './probe-host.ts';

interface ProbeDependencies {
  /** Per question. */
  timeoutMs: number;
  /** Folder for the files; created if missing. */
  out: string;
  /** File of authorities to trust (PEM); `system`: this machine's; null: certificates are not checked. */
  trust: string | null;
  /** Table of autonomous systems. Default: none. */
  asTable?: string | null;
  /** Command of a QUIC client that implements the protocol of clients/connector.ts. */
  quicClient: readonly string[];
  signal: AbortSignal;
  print: (line: string) => void;
}

const HOSTS_AT_ONCE = 8;
/** Larger pages take a browser too long. */
const MAX_ROWS_OF_PAGE = 2000;

/**
 * Probes hosts, several in parallel; prints a row for each result and writes probes.jsonl, probes.csv and probe.html, also when
 * interrupted.
 * @returns the exit status: whether every host answered
 */
export async function probeCommand(
  hosts: readonly Host[],
  { timeoutMs, out, trust, asTable = null, quicClient, signal, print }: ProbeDependencies,
): Promise<number> {
  const files = probeFiles(out);
  const authorities = await authoritiesOf(trust);
  const systems = asTable === null ? null : await readAsTable(asTable);
  for (const file of Object.values(files)) assertNew(file);
  await mkdir(out, { recursive: true });
  const lines = await openLines(files.records, { isNew: true });
  const adoption = new Adoption();
  const csvRows: string[] = [];
  const shown: ProbeRecord[] = [];
  const table = growingTable(hosts, systems !== null);
  print(table.head);
  const keep = async (record: ProbeRecord, index: number) => {
    await lines.append(record);
    adoption.add(record);
    csvRows[index] = csvRow(record);
    if (index < MAX_ROWS_OF_PAGE) shown[index] = record;
    print(table.row(record));
  };
  try {
    await probeAll(hosts, { timeoutMs, authorities, systems, quicClient, signal }, keep);
  } finally {
    await lines.close();
    // Unfinished hosts left gaps, which flat() removes.
    await writeFileAtomically(files.table, [CSV_HEAD, ...csvRows.flat(), ''].join('\n'));
    const records = shown.flat();
    await writeFileAtomically(
      files.page,
      probePage({ adoption, records, requested: hosts.length }),
    );
    print(`Written: ${Object.values(files).join(', ')}`);
  }
  return adoption.answered === hosts.length ? EXIT.ok : EXIT.someLoadsNotOk;
}

function probeFiles(folder: string) {
  return {
    records: path.join(folder, 'probes.jsonl'),
    table: path.join(folder, 'probes.csv'),
    page: path.join(folder, 'probe.html'),
  };
}

async function authoritiesOf(trust: string | null): Promise<readonly string[] | null> {
  if (trust === null) return null;
  if (trust === 'system') return getCACertificates('system');
  try {
    return [await readPlainText(trust)];
  } catch (error) {
    throw new UsageError(
      `${trust} cannot be read: ${reasonOf(error)}. Name a file with certificates (PEM).`,
    );
  }
}

/** An interruption or a bug in one worker stops all. */
async function probeAll(
  hosts: readonly Host[],
  {
    quicClient,
    signal,
    ...settings
  }: Omit<ProbeOptions, 'clients'> & { quicClient: readonly string[] },
  keep: (record: ProbeRecord, index: number) => Promise<void>,
): Promise<void> {
  const clients = quicConnector(quicClient);
  const broken = new AbortController();
  const probing: ProbeOptions = {
    ...settings,
    clients,
    signal: AbortSignal.any([signal, broken.signal]),
  };
  const left = hosts.entries();
  const work = async () => {
    // The workers share this iterator.
    for (const [index, host] of left) {
      probing.signal.throwIfAborted();
      await keep(await probeHost(host, probing), index);
    }
  };
  const working = Array.from({ length: HOSTS_AT_ONCE }, () =>
    work().catch((error) => {
      broken.abort(error);
      throw error;
    }),
  );
  try {
    await Promise.allSettled(working);
    await Promise.all(working);
  } finally {
    await clients.close();
  }
}

/** Default per question: servers answer within a few round trips, or not at all. */
const TIMEOUT_MS = 5_000;

const PROBED_WITH = ['probe', 'live', 'trust', 'as-table', 'timeout', 'out'];

/**
 * Probes the hosts of a command line. Returns the exit status.
 * @throws UsageError for invalid hosts and options
 */
export async function probeHosts(
  operands: readonly string[],
  given: RawOptions,
  options: OptionTable,
  dependencies: { print: (line: string) => void; signal: AbortSignal },
): Promise<number> {
  const values = valuesOf(options, given) as RunValues<typeof LIVE_OPTIONS>;
  const other = Object.keys(given).find((name) => !PROBED_WITH.includes(name));
  if (other !== undefined) {
    throw new UsageError(
      `--${other} cannot be used with --probe. Options that can: ${PROBED_WITH.map((name) => `--${name}`).join(', ')}.`,
    );
  }
  if (operands.length === 0) throw new UsageError('--probe needs hosts: HOST, or @FILE.');
  const name = `probe-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}`;
  return probeCommand(readHosts(operands), {
    timeoutMs: given.timeout === undefined ? TIMEOUT_MS : 1000 * values.timeout,
    out: values.out === null ? path.join(resultsFolder, name) : realFolder('out', values.out),
    trust: trustOf(values),
    asTable: values['as-table'],
    quicClient: [readMachine().bun, bun.connect.program],
    ...dependencies,
  });
}

import type { FairnessManifest } from './fairness.ts';
import type { AskedNetwork, NetworkBackend } from './network.ts';
import type { Protocol, RECORD_FORMAT_VERSION } from './page-load.ts';

/** A site as the plan froze it. */
export interface PlannedSite {
  site: string;
  url: string;
  /** The manifest's sentence about where the page comes from. */
  source: string;
  kind: string;
  hosts: number;
  resources: number;
  wireBytes: number;
  /** Hex SHA-256 of index.json: which page exactly. */
  manifestSha256: string;
}

/** A server stack as the plan froze it. */
export interface PlannedStack {
  stack: string;
  /** For tables and headings, for example `lsquic (h3)`. */
  label: string;
  protocol: Protocol;
}

/** One planned page load. */
export interface Trial {
  id: string;
  site: string;
  stack: string;
  network: AskedNetwork;
  /** Decides which packets are lost; the same for all stacks of a block. */
  networkSeed: number;
  repetition: number;
  block: number;
  warmup: boolean;
  visit: 'cold';
}

/** What run.json holds: everything decided and found before the first load. */
export interface RunRecord {
  formatVersion: typeof RECORD_FORMAT_VERSION;
  runId: string;
  startedAt: string;
  /** The options as given by the user. */
  command: string[];
  seed: number;
  repetitions: number;
  timeoutS: number;
  sites: PlannedSite[];
  stacks: PlannedStack[];
  /** The network conditions in their order. */
  networks: AskedNetwork[];
  /** Who makes the path; one for the whole run. */
  backend: NetworkBackend;
  /** What both ends really are, read back from the system. */
  fairness: FairnessManifest;
  /** In the order they will be run. */
  trials: Trial[];
  /** Program name to version: quic-vs-https, node, chromium, bun, python, flask, gunicorn, puppeteer-core, chrome-har. */
  versions: Record<string, string>;
  host: HostFacts;
}

/** The machine as it was at the start. */
export interface HostFacts {
  os: string;
  kernel: string;
  cpu: string;
  cores: number;
  memoryMb: number;
  loadAverage1m: number;
}

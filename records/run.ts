import type { FairnessManifest } from './fairness.ts';
import type { QuietRule } from './machine-use.ts';
import type { AskedNetwork, NetworkBackend } from './network.ts';
import type { Protocol, RECORD_FORMAT_VERSION, VisitKind } from './page-load.ts';

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
  /** Set in the control: the stack whose program this one runs a second time under another label. */
  controlOf: string | null;
}

/** What is done with the loads once they are made; chosen before the first of them. */
export interface AnalysisPlan {
  /** The stack that the others are compared with. */
  baseline: string;
  /** Two stacks are the same when the whole interval of their ratio lies within so many percent of 1. */
  marginPercent: number;
}

/** Choices about a run that hold for all of its loads. */
export interface RunChoices {
  /** own: every host has an address and a certificate of its own; shared: one of each for the whole site. */
  origins: 'own' | 'shared';
  certificateChain: 'small' | 'realistic';
  /** Which cores are whose; null: the kernel decides. */
  pinned: { browserCores: number[]; serverCores: number[]; linkCores: number[] } | null;
  /** Whether pages got a seeded Math.random and a Date of their own. */
  deterministicPages: 'recorded' | 'all' | 'none';
  /** recorded: servers wait before an answer as long as the recorded ones did; off: they answer at once. */
  thinkTime: 'off' | 'recorded';
  /** Of which loads Chromium wrote a NetLog, which tells every connection and slows the load down. */
  netLog: 'warm-ups' | 'all' | 'none';
  /** Segments of TCP's initial window asked for; null: the kernel's own. */
  initialWindowSegments: number | null;
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
  visit: VisitKind;
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
  /** In their order; each is a condition of its own, like a network. */
  visits: VisitKind[];
  choices: RunChoices;
  analysis: AnalysisPlan;
  /** When a load counts as disturbed. */
  quietRule: QuietRule;
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

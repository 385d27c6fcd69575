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
  /** What verdicts are about: page load time, or the main document's request alone. */
  metric: 'pageLoad' | 'documentTime';
}

/** When a run has been told enough; chosen before its first load. */
export interface StoppingRule {
  /** The error is spent over the looks as Pocock's bounds do. */
  rule: 'pocock-spending';
  /** The chance of even one wrong primary verdict over all looks. */
  alpha: number;
  /** After so long no further block is begun. */
  budgetMs: number;
  /** Blocks of each site and condition between two looks: complete balanced sets. */
  blocksPerLook: number;
}

/**
 * What loads are kept apart by. context: a browser context of its own in a browser that is kept; process: a browser of its own,
 * which was just started.
 */
export type Isolation = 'context' | 'process';

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
  isolation: Isolation;
  /** Segments of TCP's initial window asked for; null: the kernel's own. */
  initialWindowSegments: number | null;
  /** missing: every request but the main document's is answered 404. */
  subResources: 'served' | 'missing';
  /** as-saved: Flask's development server sends the main document with its header lines as text, and without the headers. */
  document: 'recorded' | 'as-saved';
  /** The newest TLS that browsers speak over TCP; QUIC has 1.3 always. */
  tlsMost: '1.2' | '1.3';
  /** MTU of the path in bytes. */
  mtuBytes: number;
  /** on: the ends of the path may send and receive several segments as one packet, as loopback does. */
  offloads: 'off' | 'on';
  /** What TCP's receive buffer begins with on both ends, in bytes; null: what the kernel begins with. */
  receiveBufferBytes: number | null;
  /** shuffled: within each block; sequential: all loads of a stack, then all of the next one. */
  order: 'shuffled' | 'sequential';
  /** Cookies and authorization values stay in HARs. */
  keepSecrets: boolean;
  /** Which HARs of ok loads are kept: all, those of the median loads, or none. Others' are kept always. */
  hars: 'all' | 'median' | 'none';
  /** HARs are written as .har.gz. */
  compressHars: boolean;
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

/** The frozen plan of a run: everything decided before anything was started, the same on every machine that takes part. */
export interface PlanRecord {
  formatVersion: typeof RECORD_FORMAT_VERSION;
  runId: string;
  /** Hex SHA-256 over all that decides what is loaded and how: two with the same can be one campaign. */
  planSha256: string;
  /** The preset, or the rung of one, that the options came from: `published`, `ladder/tls-1.3`; null: none. */
  preset: string | null;
  startedAt: string;
  /** The options as given by the user. */
  command: string[];
  seed: number;
  /** Counted loads of each site by each stack under each condition; the most of them where a rule stops them. */
  repetitions: number;
  /** Absent: all repetitions are made. */
  stopping?: StoppingRule;
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
  /** In the order they will be run. */
  trials: Trial[];
}

/** What run.json holds: the plan, and what was found on the machine before the first load. */
export interface RunRecord extends PlanRecord {
  /** Who makes the path; one for the whole run. */
  backend: NetworkBackend;
  /** What both ends really are, read back from the system. */
  fairness: FairnessManifest;
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

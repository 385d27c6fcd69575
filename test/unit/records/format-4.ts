import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { PageLoad } from '../../../experiments/page-load/details.ts';
import type { CalibrationRecord } from '../../../records/calibration.ts';
import type { InvocationRecord } from '../../../records/invocation.ts';
import type { RunRecord } from '../../../records/run.ts';
import type { Fixture } from '../report/fixture-run.ts';

/** A load as format 4 wrote it: one of a site by a stack, with its timings and its traffic. */
export function loadOfFormat4(load: PageLoad) {
  const { metrics, machine, details } = load;
  return {
    formatVersion: 4,
    id: load.id,
    order: load.order,
    site: load.subject,
    stack: load.arm,
    protocol: load.protocol,
    network: load.network,
    repetition: load.repetition,
    block: load.block,
    warmup: load.warmup,
    visit: load.factors.visit,
    browser: load.client && {
      id: load.client.id,
      loadsBefore: load.client.attemptsBefore,
      ageMs: load.client.ageMs,
    },
    outcome: load.outcome,
    code: load.code,
    message: load.message,
    timingsMs: {
      pageLoad: metrics.pageLoadMs,
      documentTime: metrics.documentMs,
      firstByte: metrics.firstByteMs,
      connect: metrics.connectMs,
      domContentLoaded: metrics.domContentLoadedMs,
      firstContentfulPaint: metrics.firstContentfulPaintMs,
      largestContentfulPaint: metrics.largestContentfulPaintMs,
      lastByte: metrics.lastByteMs,
    },
    phasesMs: details?.phasesMs,
    traffic: details?.traffic && {
      ...details.traffic,
      requests: metrics.requests,
      wireBytes: metrics.wireBytes,
      connections: metrics.connections,
      peakConcurrentRequests: metrics.peakConcurrentRequests,
    },
    replay: details?.replay,
    connections: load.connections,
    machine: machine && {
      loadAverage1m: machine.loadAverage1m,
      availableMemoryMb: machine.availableMemoryMb,
      cpuPressurePercent: machine.cpuPressurePercent,
      stealPercent: machine.stealPercent,
      otherCpuPercent: machine.otherCpuPercent,
      serverCpuMs: machine.serverCpuMs,
      browserCpuMs: machine.clientCpuMs,
      runnerCpuMs: machine.runnerCpuMs,
      udpReceiveBufferErrors: machine.udpReceiveBufferErrors,
    },
    disturbed: load.disturbed,
    harnessMs: load.stepsMs,
    path: load.path,
    har: load.files.har ?? null,
    startedAt: load.startedAt,
    attempt: load.attempt,
    sitting: load.invocation,
  };
}

/** run.json as format 4 wrote it, of a run whose metric was page load time. */
export function runOfFormat4(run: RunRecord) {
  return {
    formatVersion: 4,
    runId: run.runId,
    planSha256: run.planSha256,
    preset: run.preset,
    startedAt: run.startedAt,
    command: run.command,
    seed: run.seed,
    repetitions: run.repetitions,
    timeoutS: run.timeoutS,
    sites: run.subjects.map(({ subject, ...facts }) => ({ site: subject, ...facts })),
    stacks: run.arms.map(({ arm, label, protocol, controlOf }) => ({
      stack: arm,
      label,
      protocol,
      controlOf,
    })),
    networks: run.networks,
    visits: run.factors.visit,
    choices: run.choices,
    analysis: { ...run.analysis, metric: 'pageLoad' },
    quietRule: run.interferenceRule,
    backend: run.backend,
    fairness: run.fairness,
    trials: run.trials.map(({ subject, arm, factors, ...trial }) => ({
      ...trial,
      site: subject,
      stack: arm,
      visit: factors.visit,
    })),
    versions: run.versions,
    host: run.host,
  };
}

/** A line of calibrations.jsonl as format 4 wrote it. */
export function calibrationOfFormat4({ subject, ...calibration }: CalibrationRecord) {
  return { site: subject, ...calibration };
}

/** A line of sittings.jsonl: an invocation in the words of format 4. */
export function sittingOfFormat4({ formatMinor: _, ...invocation }: InvocationRecord) {
  return { ...invocation, formatVersion: 4 };
}

/** Writes a made-up run into a folder as format 4 did. */
export async function writeRunOfFormat4(
  folder: string,
  { run, observations, calibrations, invocations }: Fixture,
): Promise<void> {
  const files = {
    'run.json': JSON.stringify(runOfFormat4(run)),
    'page-loads.jsonl': linesOf(observations.map(loadOfFormat4)),
    'calibrations.jsonl': linesOf(calibrations.map(calibrationOfFormat4)),
    'sittings.jsonl': linesOf(invocations.map(sittingOfFormat4)),
  };
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
}

function linesOf(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

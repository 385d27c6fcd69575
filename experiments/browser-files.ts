import type { Har } from '../clients/har/har.ts';
import type { LoadDescription } from '../clients/har/load-description.ts';
import { withoutSecrets } from '../clients/har/secrets.ts';
import type { PageContext } from '../clients/page-context.ts';
import type { Experiment } from '../ground/experiment.ts';
import type { Trial } from '../ground/records/run.ts';
import { splitBrowser } from '../ground/stack.ts';
import { startStopwatch } from '../ground/system/stopwatch.ts';
import { type BrowserBench, keysSince } from './in-browser.ts';
import { writeLink } from './link.ts';
import type { Bench, ReadyServer } from './measuring.ts';
import { type FilesWritten, NO_PACKETS, writePackets } from './packets.ts';
import { writeTcpInfo } from './tcp-info.ts';
import type { AttemptEvidence } from './trial.ts';
import { trialText } from './trial-text.ts';

interface BrowserAttempt {
  trial: Trial;
  server: ReadyServer;
  /** null: it could not be opened, so nothing went over the path. */
  context: Pick<PageContext, 'keyLogFile' | 'keyLogFromByte'> | null;
  experiment: Experiment;
  link: AttemptEvidence['link'];
  makeHar(): Har;
}

export interface BrowserFiles extends FilesWritten {
  /** null: it could not be made or written. */
  har: Har | null;
  /** Returns the ms since writing began. */
  step: () => number;
}

/** Writes the files of an attempt in a browser, before the next one begins. */
export async function writeBrowserFiles(
  { trial, server, context, experiment, link, makeHar }: BrowserAttempt,
  bench: BrowserBench,
): Promise<BrowserFiles> {
  const step = startStopwatch();
  const packets = context
    ? await writePackets(trial, experiment, () => keysSince(context), bench)
    : NO_PACKETS;
  const tcpInfo = context ? await writeTcpInfo(trial, experiment, server, bench) : {};
  const samples = await writeLink(trial, experiment, link, bench);
  const files = { ...samples, ...packets.files, ...tcpInfo };
  try {
    const har = makeHar();
    const kept = bench.choices.keepSecrets ? har : withoutSecrets(har);
    const file = await bench.results.writeHar(trial.id, kept);
    return { files: { har: file, ...files }, har, failure: packets.failure, step };
  } catch (error) {
    const message = `No HAR could be written: ${(error as Error).message}`;
    return { files, har: null, failure: { code: 'har-failed', message }, step };
  }
}

/**
 * Description of a load for its HAR.
 * @param source what was loaded, for the HAR's comment
 */
export function describeLoad(
  { trial, experiment, source }: Pick<BrowserAttempt, 'trial' | 'experiment'> & { source: string },
  { url, versions }: Pick<Bench, 'url' | 'versions'>,
): LoadDescription {
  return {
    site: trial.subject,
    stack: trial.arm,
    url,
    comment: `${trialText(trial, experiment)}; ${source}`,
    browserVersion: versions[splitBrowser(trial.arm)[1] ?? 'chromium'] ?? '',
    creatorVersion: versions['quic-vs-https'] ?? '',
  };
}

import { parentPort, workerData } from 'node:worker_threads';
import { attempt } from './attempt.ts';
import { FORMATS } from './formats.ts';
import { choicesOf } from './random.ts';

/** Task of a worker: inputs `from` to `to` - 1 of a format. */
export interface WorkerTask {
  format: string;
  seed: number;
  from: number;
  to: number;
  /** Its own, emptied for each input. */
  folder: string;
  /** One number: the input that is being imported. */
  progress: SharedArrayBuffer;
}

/** Message of a worker when it is done. */
export interface WorkerTally {
  imported: number;
  refused: number;
}

/** Message of a worker about a finding. */
export interface Finding {
  input: number;
  problem: string;
}

const { format, seed, from, to, folder, progress } = workerData as WorkerTask;
const at = new Int32Array(progress);
const make = FORMATS[format] as (typeof FORMATS)[string];
const tally: WorkerTally = { imported: 0, refused: 0 };
for (let input = from; input < to; input++) {
  Atomics.store(at, 0, input);
  const { result, problem } = await attempt(format, make(choicesOf(seed, input)), folder);
  if (result === 'finding') parentPort?.postMessage({ input, problem } as Finding);
  else tally[result] += 1;
}
parentPort?.postMessage(tally);

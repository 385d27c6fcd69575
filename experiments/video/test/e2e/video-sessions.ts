import type { Observation } from '../../../../ground/records/observation.ts';
import { readObservations } from '../../../../ground/records/read.ts';
import { type Command, startProgram } from '../../../../test/e2e/command.ts';
import { video } from '../../experiment.ts';
import type { VideoDetails } from '../../records.ts';

/** Starts to watch videos. */
export function startVideo(out: string, words: readonly string[]): Command {
  return startProgram(['video', ...words, '--seed', '1', '--out', out]);
}

/** Every session of a run, including warm-ups. */
export async function sessionsOf(out: string): Promise<Observation<VideoDetails>[]> {
  const { observations } = await readObservations(out, video);
  return observations as Observation<VideoDetails>[];
}

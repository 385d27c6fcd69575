import { video } from '../../experiments/video/experiment.ts';
import type { Observation } from '../../records/observation.ts';
import { readObservations } from '../../records/read.ts';
import type { VideoDetails } from '../../records/video.ts';
import { type Command, startProgram } from './command.ts';

/** Starts to watch videos. */
export function startVideo(out: string, words: readonly string[]): Command {
  return startProgram(['video', ...words, '--seed', '1', '--out', out]);
}

/** Every session of a run, those to warm up too. */
export async function sessionsOf(out: string): Promise<Observation<VideoDetails>[]> {
  const { observations } = await readObservations(out, video);
  return observations as Observation<VideoDetails>[];
}

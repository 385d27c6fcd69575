import { players, werePlayersAskedFor } from './players.ts';
import { SetupError, type Step } from './step.mjs';
import { systemPrograms } from './system-programs.ts';

const VIDEO: readonly Step[] = [
  systemPrograms('looking for ffmpeg, which makes a video', [
    { program: 'ffmpeg', from: 'ffmpeg' },
  ]),
  players,
];

/** What is brought for a purpose that most users do not have. */
const PURPOSES: Readonly<Record<string, readonly Step[]>> = {
  video: VIDEO,
  tests: [
    systemPrograms('looking for a screen that nobody sees, and for ping', [
      { program: 'Xvfb', from: 'xvfb' },
      { program: 'ping', from: 'iputils-ping' },
    ]),
    ...VIDEO,
  ],
};

/**
 * What these purposes need beside what every run does, and the players of videos if they were asked for before.
 * @throws SetupError when there is no such purpose
 */
export function purposes(asked: readonly string[]): Step[] {
  const steps = asked.flatMap((name) => {
    const ofPurpose = Object.hasOwn(PURPOSES, name) ? PURPOSES[name] : undefined;
    if (ofPurpose) return ofPurpose;
    throw new SetupError(`--for ${name}: there is ${Object.keys(PURPOSES).join(', ')}.`, 2);
  });
  return werePlayersAskedFor() ? [...new Set([...steps, players])] : steps;
}

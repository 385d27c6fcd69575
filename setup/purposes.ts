import { existsSync } from 'node:fs';
import { EXPORT_FORMATS } from '../cache/exporters/index.ts';
import { players, werePlayersAskedFor } from './players.ts';
import { SetupError } from './setup-error.mjs';
import type { Step } from './step.mjs';
import { systemPrograms } from './system-programs.ts';

const VIDEO: readonly Step[] = [
  systemPrograms('looking for ffmpeg, which makes a video', [
    { program: 'ffmpeg', from: 'ffmpeg' },
  ]),
  players,
];

/** Where systemd runs, their packages start them as services of the machine: nobody wants that for tests, which say there what to install. */
const SERVERS_OF_EXPORTS: readonly Step[] = existsSync('/run/systemd/system')
  ? []
  : [
      systemPrograms(
        'looking for the servers that sites are exported for',
        EXPORT_FORMATS.flatMap(({ server }) => server ?? []),
      ),
    ];

/** What is brought for a purpose that most users do not have. */
const PURPOSES: Readonly<Record<string, readonly Step[]>> = {
  video: VIDEO,
  tests: [
    systemPrograms('looking for a screen that nobody sees, and for ping', [
      { program: 'Xvfb', from: 'xvfb' },
      { program: 'ping', from: 'iputils-ping' },
    ]),
    ...SERVERS_OF_EXPORTS,
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

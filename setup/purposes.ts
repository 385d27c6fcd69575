import { existsSync } from 'node:fs';
import { EXPORT_FORMATS } from '../cache/exporters/index.ts';
import { allExperiments } from '../experiments/index.ts';
import { packageFile, wasRequested } from './package-file.ts';
import { SetupError } from './setup-error.mjs';
import type { Step } from './step.mjs';
import { systemPrograms } from './system-programs.ts';

/** Where systemd runs, their packages start them as services of the machine: nobody wants that for tests, which say there what to install. */
const EXPORT_SERVER_STEPS: readonly Step[] = existsSync('/run/systemd/system')
  ? []
  : [
      systemPrograms(
        'looking for the servers that sites are exported for',
        EXPORT_FORMATS.flatMap(({ server }) => server ?? []),
      ),
    ];

/** What experiments need, by their names. */
const EXPERIMENT_STEPS: Readonly<Record<string, readonly Step[]>> = Object.fromEntries(
  allExperiments().flatMap(({ name, setUp }) =>
    setUp
      ? [
          [
            name,
            [
              systemPrograms(`looking for ${setUp.about}`, setUp.programs),
              ...setUp.files.map(packageFile),
            ],
          ],
        ]
      : [],
  ),
);

/** What is brought for a purpose that most users do not have. */
const PURPOSES: Readonly<Record<string, readonly Step[]>> = {
  ...EXPERIMENT_STEPS,
  tests: [
    systemPrograms('looking for a screen that nobody sees, and for ping', [
      { program: 'Xvfb', from: 'xvfb' },
      { program: 'ping', from: 'iputils-ping' },
    ]),
    ...EXPORT_SERVER_STEPS,
    ...Object.values(EXPERIMENT_STEPS).flat(),
  ],
};

/**
 * What these purposes need beside what every run does, and the files of packages that were asked for before.
 * @throws SetupError when there is no such purpose
 */
export function purposes(requested: readonly string[]): Step[] {
  const steps = requested.flatMap((name) => {
    const purposeSteps = Object.hasOwn(PURPOSES, name) ? PURPOSES[name] : undefined;
    if (purposeSteps) return purposeSteps;
    throw new SetupError(`--for ${name}: there is ${Object.keys(PURPOSES).join(', ')}.`, 2);
  });
  const titles = new Set(steps.map(({ title }) => title));
  const files = allExperiments()
    .flatMap(({ setUp }) => setUp?.files ?? [])
    .filter(wasRequested);
  return [...steps, ...files.map(packageFile).filter(({ title }) => !titles.has(title))];
}

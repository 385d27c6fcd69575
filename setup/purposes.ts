import { existsSync } from 'node:fs';
import { EXPORT_FORMATS } from '../cache/exporters/index.ts';
import { allExperiments } from '../experiments/index.ts';
import { firefox } from './firefox.ts';
import { packageFile, wasRequested } from './package-file.ts';
import { SetupError } from './setup-error.mjs';
import type { Step } from './step.mjs';
import { systemPrograms } from './system-programs.ts';

/** Under systemd, their packages would start services of the machine, which tests do not need; the tests then say what to install. */
const EXPORT_SERVER_STEPS: readonly Step[] = existsSync('/run/systemd/system')
  ? []
  : [
      systemPrograms(
        'looking for the servers that sites are exported for',
        EXPORT_FORMATS.flatMap(({ server }) => server ?? []),
      ),
    ];

/** Steps that experiments need, by name. */
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

/** Steps for rare purposes. */
const PURPOSES: Readonly<Record<string, readonly Step[]>> = {
  ...EXPERIMENT_STEPS,
  tests: [
    systemPrograms('looking for Xvfb, an invisible screen, and for ping', [
      { program: 'Xvfb', from: 'xvfb' },
      { program: 'ping', from: 'iputils-ping' },
    ]),
    ...EXPORT_SERVER_STEPS,
    firefox,
    ...Object.values(EXPERIMENT_STEPS).flat(),
  ],
};

/** The purpose of an experiment's command, if its steps are more than those of every run. */
export function purposeOf(command: string): string[] {
  return allExperiments().flatMap(({ name, command: own, setUp }) =>
    setUp && own?.name === command ? [name] : [],
  );
}

/**
 * Steps for these purposes, and for package files requested earlier.
 * @throws SetupError for an unknown purpose
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

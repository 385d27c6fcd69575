import path from 'node:path';
import { type PlanInFirefox, unsupportedInFirefox } from '../clients/firefox/unsupported.ts';
import { BROWSERS, browserKind, isFoundBySetUp } from '../ground/browser-kind.ts';
import type { Experiment } from '../ground/experiment.ts';
import type { NamedBrowser } from '../ground/options/readers.ts';
import { inBrowser, type Stack } from '../ground/stack.ts';
import { UsageError } from '../ground/system/errors.ts';
import { shellWord } from '../ground/system/shell-word.ts';
import { assertCanStart } from './own-program.ts';

/**
 * Arms of these stacks in each browser.
 * @param given null: the usual browser alone
 * @param known stacks of the project
 * @throws UsageError for an unknown browser, and for a name that means something else
 */
export function armsByBrowser(
  stacks: readonly Stack[],
  given: readonly NamedBrowser[] | null,
  known: readonly Stack[],
  { client: usual }: Pick<Experiment, 'client'>,
): readonly Stack[] {
  if (given === null) return stacks;
  const wrong = given.find(({ name, program }) => (program === null) !== isFoundBySetUp(name));
  if (wrong?.program === null) {
    throw new UsageError(
      `--browser ${wrong.name}: expected chromium, firefox, or NAME@PATH with the binary of another Chromium, such as beta@/opt/chromium-beta/chrome, or of another Firefox, such as firefox-beta@/opt/firefox-beta/firefox.`,
    );
  }
  if (wrong) {
    const { name, program } = wrong;
    throw new UsageError(
      `--browser ${name}@${program}: ${name} is the browser that set-up found, whose path is ${BROWSERS[browserKind(name)].variable}. Give this one another name, such as ${name}-2@${program}.`,
    );
  }
  const names = [...known, ...stacks].map(({ stack }) => stack);
  const taken = given.find(({ name }) => names.includes(name));
  if (taken) {
    throw new UsageError(
      `--browser ${taken.name}@${taken.program}: ${taken.name} is a stack. Give the browser another name, such as my-browser@${taken.program}.`,
    );
  }
  return given.flatMap(({ name }) =>
    name === usual ? stacks : stacks.map((stack) => inBrowser(stack, name)),
  );
}

/**
 * Binaries of the browsers of a run that `--browser` has to name. A plan may come from anywhere, so it does not choose programs.
 * @param given --browser; null: not given
 * @param from the plan's source in messages, such as `--plan a.json`; null: the options make the plan
 * @throws UsageError when only one of the two has a browser
 */
export function browserPrograms(
  given: readonly NamedBrowser[] | null,
  stacks: readonly Pick<Stack, 'browser'>[],
  from: string | null,
): Record<string, string> {
  const names = new Set(stacks.flatMap(({ browser }) => browser ?? []));
  const own = given?.filter(({ program }) => program !== null) ?? [];
  const unused = own.find(({ name }) => !names.has(name));
  if (unused && from !== null) {
    throw new UsageError(
      `${from} and --browser ${shellWord(`${unused.name}@${unused.program}`)}: this plan has no such browser. Its own browsers: ${[...names].join(', ') || 'none'}.`,
    );
  }
  const programs = [...names].flatMap((name) => {
    if (isFoundBySetUp(name)) return [];
    const { program = null } = own.find((each) => each.name === name) ?? {};
    if (program === null) {
      throw new UsageError(
        `${from} loads pages in ${name}. A plan does not choose what is started: name the binary of this machine by --browser ${shellWord(name)}@PATH.`,
      );
    }
    return [[name, path.resolve(program)] as const];
  });
  return Object.fromEntries(programs);
}

/** What a plan has that its browsers do not support, as a clause; null: they support it. */
export function problemOfBrowsers(plan: PlanInFirefox, experiment: Experiment): string | null {
  const unsupported = unsupportedInFirefox(plan, experiment);
  return unsupported.length === 0 ? null : `unsupported in Firefox: ${unsupported.join(', ')}`;
}

/**
 * Checks that the binaries of browsers exist.
 * @param programs paths by name
 * @throws UsageError for the first that cannot be started
 */
export function assertBrowsers(programs: Readonly<Record<string, string>>): void {
  for (const [name, program] of Object.entries(programs)) {
    assertCanStart(
      program,
      `--browser ${name}@${program}`,
      `Expected the binary of a ${BROWSERS[browserKind(name)].noun}.`,
    );
  }
}

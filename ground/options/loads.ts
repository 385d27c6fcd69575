import { BOUNDS } from '../records/ranges.ts';
import type { Isolation, RunRecord } from '../records/run.ts';
import { serverNameOf, splitBrowser } from '../stack.ts';
import { OPTION_DEFAULTS } from './defaults.ts';
import {
  namedBrowsers,
  namedServers,
  names,
  oneOf,
  text,
  wholeNumber,
  wholeNumberOr,
} from './readers.ts';
import { type KnownNames, type Line, optionGroup, reportLine } from './row.ts';

/** Longer lists of names are shown as a number. */
const MOST_LISTED_NAMES = 12;

/** Texts of the isolation of loads. */
export const ISOLATIONS: Readonly<Record<Isolation, string>> = {
  context: 'by a browser context each in a kept browser: a first visit by a running browser',
  process: 'by a new browser each',
};

export const LOAD_OPTIONS = optionGroup('What is measured', 'plan', {
  preset: {
    argument: 'NAME',
    help: ({ presets }) => presets.map(({ name }) => name).join(', '),
    read: text,
    lines: ({ preset }) => (preset === null ? [] : [['Preset', preset]]),
  },
  sites: {
    argument: 'a,b',
    help: ({ quickSites }) =>
      `names of sites, @FILE with one name per line, the sets quick (${quickSites.join(', ')}), published, all, or pages of equal images: objects-100x10kB, or objects-20x1kB-in-100kB where a document of 100 kB references them at its start`,
    read: names,
    byDefault: ['quick'],
    lines: reportLine('Sites', ({ subjects }) =>
      namesText(
        subjects.map(({ subject }) => subject),
        'sites',
      ),
    ),
  },
  stacks: {
    argument: 'a,b',
    help: ({ stacks, defaultStacks }) =>
      `some of ${stacks.join(', ')} (default ${defaultStacks.join(', ')}), with @VERSION another version of the stack's library, or NAME=https://HOST:PORT: your own running server, NAME ending with -dual (HTTP/2 and HTTP/3), -h3, -h2 or -h1`,
    read: names,
    lines: reportLine('Server stacks', ({ arms }) =>
      namesText(
        arms.flatMap(({ label, controlOf }) => (controlOf === null ? [label] : [])),
        'stacks',
      ),
    ),
  },
  server: {
    argument: 'PROGRAM',
    help: "your own server program, which follows the contract of servers/README.md. It is started like this project's servers, with --protocol h3, h2, http/1.1 or h2+h3 (both at one address) first, and measured as the stacks own-h3, own-h2, own-h1 and own-dual (default own-h3,own-h2). Several: --server old=./a --server new=./b gives old-h3, new-h3 and so on. https://HOST:PORT in place of PROGRAM: a running server",
    read: namedServers,
    repeats: true,
    lines: ({ arms }) => {
      const servers = new Map(
        arms.flatMap(({ stack, own }) =>
          own?.program === undefined ? [] : [[own.program, serverNameOf(stack)]],
        ),
      );
      return [...servers].map(([program, name]) => [
        servers.size > 1 ? `Your own server ${name}` : 'Your own server',
        program,
      ]);
    },
  },
  browser: {
    argument: 'a,b',
    help: 'browsers that load pages, each with every stack: chromium (CHROMIUM_PATH, or found by set-up), firefox (FIREFOX_PATH, or found by npm run setup -- --browser firefox; page loads alone), or NAME@PATH, the binary of another Chromium under a name of yours, or of another Firefox if NAME begins with firefox (default chromium)',
    read: namedBrowsers,
    lines: ({ arms, versions }) => {
      const isUsual = arms.every(({ arm }) => splitBrowser(arm)[1] === null);
      return isUsual ? [] : [['Browsers', browserTexts({ arms, versions }).join('; ')]];
    },
  },
  client: {
    argument: 'NAME',
    help: 'the client program',
    read: text,
    lines: ({ arms }) => [['Client', arms[0]?.client ?? '']],
  },
  repetitions: {
    argument: 'auto|N',
    help: repetitionsHelp('site'),
    read: wholeNumberOr(['auto'], BOUNDS.repetitions),
    byDefault: 'auto',
    lines: repetitionLines,
  },
  isolation: {
    argument: 'HOW',
    help: 'context: each load has its own browser context, a first visit by a running browser; process: each load has a freshly started browser',
    read: oneOf('context', 'process'),
    byDefault: 'context',
    lines: reportLine('Isolation of loads', ({ choices }) => ISOLATIONS[choices.isolation]),
  },
  'warm-ups': {
    argument: 'N',
    help: 'uncounted loads of each stack that warm up new servers and browsers of a site',
    read: wholeNumber(BOUNDS.warmUps),
    byDefault: OPTION_DEFAULTS.warmUps,
    lines: ({ choices: { warmUps } }) =>
      warmUps === undefined
        ? []
        : [['Loads of each stack that warm up new servers and browsers', String(warmUps)]],
  },
  order: {
    argument: 'HOW',
    help: 'shuffled: the stacks take turns, in a new order in each block; sequential: one stack after the other',
    read: oneOf('shuffled', 'sequential'),
    byDefault: 'shuffled',
    lines: reportLine('Order of the stacks', ({ choices }) => choices.order),
  },
  seed: {
    argument: 'N',
    help: 'seed of all random choices (default: random and recorded)',
    read: wholeNumber(BOUNDS.seed),
    lines: reportLine('Seed', ({ seed }) => String(seed)),
  },
  timeout: {
    argument: 'S',
    help: timeoutHelp('load'),
    read: wholeNumber(BOUNDS.timeoutS),
    byDefault: OPTION_DEFAULTS.timeoutS,
    lines: ({ timeoutS }, { attempt: [attempt] }) => [
      [`Time limit of a ${attempt}`, `${timeoutS.toLocaleString('en-US')} s`],
    ],
  },
  out: {
    argument: 'DIR',
    help: 'folder for the results, new or empty (default results/<run-id>)',
    read: text,
    decides: 'invocation',
  },
});

/** Browsers of a run with their versions: `beta 157.0.1`. */
function browserTexts({ arms, versions }: Pick<RunRecord, 'arms' | 'versions'>): string[] {
  const names = new Set(arms.map(({ client }) => client));
  return [...names].map((name) => `${name} ${versions[name] ?? 'of unknown version'}`);
}

/** @param experiment its name */
export function presetHelp(experiment: string) {
  return ({ presets }: KnownNames): string => {
    const own = presets.filter(({ of, about }) => of === experiment && about !== null);
    if (own.length === 0) return 'a named set of options; this command has no presets';
    return `${own.map(({ name, about }) => `${name}: ${about}`).join('; ')}. Explicit options override the preset (default none)`;
  };
}

/** @param site noun for a subject */
export function repetitionsHelp(site: string): string {
  return `repetitions of each ${site} with each stack under each condition, 1 to 1000; auto: until every result is precise and every test of a single ${site} is decided, at most ${OPTION_DEFAULTS.mostRepetitions}, within --budget`;
}

/** @param attempt noun for an attempt */
export function timeoutHelp(attempt: string): string {
  return `seconds after which an unfinished ${attempt} counts as failed`;
}

/** Report lines about repetitions or their stopping rule. */
function repetitionLines({ stopping, repetitions }: RunRecord): Line[] {
  const most = repetitions.toLocaleString('en-US');
  if (!stopping) return [['Repetitions', most]];
  const { alpha, budgetMs, blocksPerLook } = stopping;
  const minutes = (budgetMs / 60_000).toLocaleString('en-US', { maximumFractionDigits: 1 });
  const percent = (100 * alpha).toLocaleString('en-US', { maximumFractionDigits: 2 });
  return [
    [
      'The run ends',
      `when every result is precise, after ${minutes} min, or after ${most} repetitions`,
    ],
    ['A look at the results', `after every ${blocksPerLook} blocks of each site and condition`],
    [
      'Chance of even one wrong result',
      `${percent} % over all looks, by Pocock-type error spending`,
    ],
  ];
}

function namesText(all: readonly string[], noun: string): string {
  return all.length > MOST_LISTED_NAMES ? `${all.length} ${noun}` : all.join(', ');
}

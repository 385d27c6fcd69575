import {
  count,
  list,
  name,
  number,
  object,
  oneOf,
  optional,
  orNull,
  type Static,
} from '../../../ground/records/schema.ts';

/** What can be looked at in a transfer that is profiled. */
export const PROFILES = ['cpu', 'syscalls', 'flame'] as const;

export type ProfileKind = (typeof PROFILES)[number];

/** Whose programs are looked at. */
export const PROFILED_ENDS = ['client', 'server'] as const;

export type ProfiledEnd = (typeof PROFILED_ENDS)[number];

const stepSchema = object(
  {
    atMs: number('When this step ended, since the profile began, in ms.'),
    percent: number('Processor time of all threads in this step, in percent of one core.'),
    busiestThreadPercent: number('The same of the thread that took most of it.'),
  },
  'A step of a profile of processor time.',
);

const callSchema = object(
  {
    name: name('Of the system call.'),
    calls: count('How often it was made.'),
    errors: count('How often it failed.'),
    cpuMs: number("The kernel's processor time in it, in ms, as strace tells."),
  },
  'A system call.',
);

const stackSchema = object(
  {
    frames: list(
      name(
        'A function, with _[k] behind it if it is of the kernel; [PROGRAM] where the program does not tell its functions.',
      ),
      'From the outermost one to the one that ran.',
    ),
    samples: count('How often it was met.'),
  },
  'What called what.',
);

/** What was seen of one end in a transfer that was made for it alone. */
export const profileSchema = object(
  {
    kind: oneOf(PROFILES, 'What was looked at.'),
    end: oneOf(PROFILED_ENDS, 'Whose programs.'),
    totalMs: orNull(
      number(
        'Total time of the transfer that was looked at, in ms: longer than without; null: it failed.',
      ),
    ),
    steps: optional(list(stepSchema, 'Of cpu: what it took over time.')),
    calls: optional(list(callSchema, 'Of syscalls: each one, those with most time first.')),
    stacks: optional(
      list(stackSchema, 'Of flame: without what is too rare to be drawn; the file has all.'),
    ),
    hz: optional(
      number('Of flame: how often in a second of processor time each thread was looked at.'),
    ),
  },
  'What was seen of one end in a transfer that was made for it alone, and counts nowhere.',
);

export type Profile = Static<typeof profileSchema>;

export type ProfileStep = Static<typeof stepSchema>;

export type SystemCall = Static<typeof callSchema>;

export type StackSamples = Static<typeof stackSchema>;

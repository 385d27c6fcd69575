import * as s from '../../../ground/records/schema.ts';

/** What can be looked at in a transfer that is profiled. */
export const PROFILES = ['cpu', 'syscalls', 'flame'] as const;

export type ProfileKind = (typeof PROFILES)[number];

/** Whose programs are looked at. */
export const PROFILED_ENDS = ['client', 'server'] as const;

export type ProfiledEnd = (typeof PROFILED_ENDS)[number];

const stepSchema = s.object(
  {
    atMs: s.number('When this step ended, since the profile began, in ms.'),
    percent: s.number('Processor time of all threads in this step, in percent of one core.'),
    busiestThreadPercent: s.number('The same of the thread that took most of it.'),
  },
  'A step of a profile of processor time.',
);

const callSchema = s.object(
  {
    name: s.name('Of the system call.'),
    calls: s.count('How often it was made.'),
    errors: s.count('How often it failed.'),
    cpuMs: s.number("The kernel's processor time in it, in ms, as strace tells."),
  },
  'A system call.',
);

const stackSchema = s.object(
  {
    frames: s.list(
      s.name(
        'A function, with _[k] behind it if it is of the kernel; [PROGRAM] where the program does not tell its functions.',
      ),
      'From the outermost one to the one that ran.',
    ),
    samples: s.count('How often it was met.'),
  },
  'What called what.',
);

/** What was seen of one end in a transfer that was made for it alone. */
export const profileSchema = s.object(
  {
    kind: s.oneOf(PROFILES, 'What was looked at.'),
    end: s.oneOf(PROFILED_ENDS, 'Whose programs.'),
    totalMs: s.orNull(
      s.number(
        'Total time of the transfer that was looked at, in ms: longer than without; null: it failed.',
      ),
    ),
    steps: s.optional(s.list(stepSchema, 'Of cpu: what it took over time.')),
    calls: s.optional(s.list(callSchema, 'Of syscalls: each one, those with most time first.')),
    stacks: s.optional(
      s.list(stackSchema, 'Of flame: without what is too rare to be drawn; the file has all.'),
    ),
    hz: s.optional(
      s.number('Of flame: how often in a second of processor time each thread was looked at.'),
    ),
  },
  'What was seen of one end in a transfer that was made for it alone, and counts nowhere.',
);

export type Profile = s.Static<typeof profileSchema>;

export type ProfileStep = s.Static<typeof stepSchema>;

export type SystemCall = s.Static<typeof callSchema>;

export type StackSamples = s.Static<typeof stackSchema>;

import * as s from '../../../ground/records/schema.ts';

export const PROFILES = ['cpu', 'syscalls', 'flame'] as const;

export type ProfileKind = (typeof PROFILES)[number];

export const PROFILED_ENDS = ['client', 'server'] as const;

export type ProfiledEnd = (typeof PROFILED_ENDS)[number];

const stepSchema = s.object(
  {
    atMs: s.number('End of this step, in ms since the start of the profile.'),
    percent: s.number('Processor time of all threads in this step, in percent of one core.'),
    busiestThreadPercent: s.number('The same for the busiest thread.'),
  },
  'A step of a profile of processor time.',
);

const callSchema = s.object(
  {
    name: s.name('Name.'),
    calls: s.count('Number of calls.'),
    errors: s.count('Number of failed calls.'),
    cpuMs: s.number("The kernel's processor time in it according to strace, in ms."),
  },
  'A system call.',
);

const stackSchema = s.object(
  {
    frames: s.list(
      s.name(
        'A function, with suffix _[k] in the kernel; [PROGRAM] for a program without function names.',
      ),
      'From the outermost to the innermost.',
    ),
    samples: s.count('Number of samples.'),
  },
  'A sampled stack.',
);

export const profileSchema = s.object(
  {
    kind: s.oneOf(PROFILES, 'Kind of profile.'),
    end: s.oneOf(PROFILED_ENDS, 'Profiled end.'),
    totalMs: s.orNull(
      s.number(
        'Total time of the profiled transfer, in ms, longer than without a profile; null: it failed.',
      ),
    ),
    steps: s.optional(s.list(stepSchema, 'For cpu: processor time over time.')),
    calls: s.optional(s.list(callSchema, 'For syscalls: all, those with most time first.')),
    stacks: s.optional(
      s.list(stackSchema, 'For flame: without frames that are too rare to draw; the file has all.'),
    ),
    hz: s.optional(s.number('For flame: samples per second of processor time of each thread.')),
  },
  'Profile of one end in an uncounted transfer.',
);

export type Profile = s.Static<typeof profileSchema>;

export type ProfileStep = s.Static<typeof stepSchema>;

export type SystemCall = s.Static<typeof callSchema>;

export type StackSamples = s.Static<typeof stackSchema>;

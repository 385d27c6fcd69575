/** What a metric can be in: what its name ends with, by which records tell its unit, and what its columns in tables end with. */
export const UNITS = {
  ms: { ending: 'Ms', columnEnding: '_ms' },
  bytes: { ending: 'Bytes', columnEnding: '_bytes' },
  /** 1,000 bits a second. */
  kbps: { ending: 'Kbps', columnEnding: '_kbps' },
  percent: { ending: 'Percent', columnEnding: '_percent' },
  nsPerByte: { ending: 'NsPerByte', columnEnding: '_ns_per_byte' },
  /** A number from 0 to 1 without a unit, such as Jain's. */
  index: { ending: 'Index', columnEnding: '_index' },
  /** The name ends with what is counted. */
  count: { ending: '', columnEnding: '' },
} as const satisfies Record<string, { ending: string; columnEnding: string }>;

export type Unit = keyof typeof UNITS;

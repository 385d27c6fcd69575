/** Units of metrics, with the endings of metric names and of columns in tables. */
export const UNITS = {
  ms: { ending: 'Ms', columnEnding: '_ms' },
  bytes: { ending: 'Bytes', columnEnding: '_bytes' },
  /** 1,000 bits a second. */
  kbps: { ending: 'Kbps', columnEnding: '_kbps' },
  percent: { ending: 'Percent', columnEnding: '_percent' },
  nsPerByte: { ending: 'NsPerByte', columnEnding: '_ns_per_byte' },
  /** Dimensionless, 0 to 1, such as Jain's fairness index. */
  index: { ending: 'Index', columnEnding: '_index' },
  /** The name ends with what is counted. */
  count: { ending: '', columnEnding: '' },
} as const satisfies Record<string, { ending: string; columnEnding: string }>;

export type Unit = keyof typeof UNITS;

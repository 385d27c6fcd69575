/** What stacks truly differ by, and what their loads vary by. */
export interface Scenario {
  name: string;
  /** True log ratio of each question, on average over the sites. */
  effects: readonly number[];
  /** Standard deviation of the sites' effects around it. */
  betweenSites: number;
  /** Of the log ratio of a pair of loads, for one site after the other. */
  betweenPairs: readonly number[];
  /** Of what a browser adds to all its loads. */
  betweenBrowsers: number;
  /** Share of loads that are late, by a third on average. */
  late: number;
  /** Share of loads that fail, whatever the stack. */
  failing: number;
  /** Looked at once, at the end, as a run of a fixed number of repetitions is. */
  isFixed?: boolean;
  /** Interrupted after every balanced set of blocks, read, and resumed. */
  isInterrupted?: boolean;
}

/** The pairs of the default run's four pages without delay, as measured. */
const MEASURED: Omit<Scenario, 'name' | 'effects'> = {
  betweenSites: 0.1,
  betweenPairs: [0.12, 0.07, 0.12, 0.2],
  betweenBrowsers: 0,
  late: 0.05,
  failing: 0,
};

const NONE = [0, 0, 0, 0];
const MARGIN = Math.log(1.05);
const TENTH = Math.log(1.1);
const FIFTH = Math.log(1.2);

export const SCENARIOS: readonly Scenario[] = [
  { ...MEASURED, name: 'nothing differs', effects: NONE },
  { ...MEASURED, name: 'pairs vary by 7 %', effects: NONE, betweenPairs: [0.07] },
  { ...MEASURED, name: 'pairs vary by 20 %', effects: NONE, betweenPairs: [0.2] },
  { ...MEASURED, name: 'browsers differ by 3 %', effects: NONE, betweenBrowsers: 0.03 },
  { ...MEASURED, name: 'browsers differ by 6 %', effects: NONE, betweenBrowsers: 0.06 },
  { ...MEASURED, name: 'browsers differ by 10 %', effects: NONE, betweenBrowsers: 0.1 },
  {
    ...MEASURED,
    name: 'both: 7 % and 10 %',
    effects: NONE,
    betweenPairs: [0.07],
    betweenBrowsers: 0.1,
  },
  { ...MEASURED, name: '5 % of loads fail', effects: NONE, failing: 0.05 },
  { ...MEASURED, name: 'nothing differs, one look', effects: NONE, isFixed: true },
  { ...MEASURED, name: 'interrupted at every set', effects: NONE, isInterrupted: true },
  { ...MEASURED, name: 'all differ by the margin', effects: [MARGIN, MARGIN, -MARGIN, -MARGIN] },
  { ...MEASURED, name: 'two of four differ by 10 %', effects: [0, 0, TENTH, TENTH] },
  { ...MEASURED, name: 'all differ by 3 %', effects: [0.03, 0.03, -0.03, -0.03] },
  { ...MEASURED, name: 'all differ by 10 %', effects: [TENTH, TENTH, -TENTH, -TENTH] },
  { ...MEASURED, name: 'all differ by 20 %', effects: [FIFTH, FIFTH, -FIFTH, -FIFTH] },
  { ...MEASURED, name: 'one question, no difference', effects: [0] },
  { ...MEASURED, name: 'one, browsers by 10 %', effects: [0], betweenBrowsers: 0.1 },
  { ...MEASURED, name: 'one question, 10 %', effects: [TENTH] },
  { ...MEASURED, name: 'one, 10 %, pairs by 7 %', effects: [TENTH], betweenPairs: [0.07] },
];

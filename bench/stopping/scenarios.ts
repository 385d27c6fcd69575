/** What stacks truly differ by, and what their loads vary by. */
export interface Scenario {
  name: string;
  /** True log ratio of each question, on average over the sites. */
  effects: readonly number[];
  /** Standard deviation of the sites' effects around it. */
  betweenSites: number;
  /** Of the logarithm of a load's time. */
  betweenLoads: number;
  /** Of what a browser adds to all its loads. */
  betweenBrowsers: number;
  /** Share of loads that are late, by a third on average. */
  late: number;
  /** Share of loads that fail, whatever the stack. */
  failing: number;
  /** Looked at once, at the end, as a run of a fixed number of repetitions is. */
  isFixed?: boolean;
}

const QUIET: Omit<Scenario, 'name' | 'effects'> = {
  betweenSites: 0.1,
  betweenLoads: 0.07,
  betweenBrowsers: 0,
  late: 0.05,
  failing: 0,
};

const NONE = [0, 0, 0, 0];
const MARGIN = Math.log(1.05);
const TENTH = Math.log(1.1);

export const SCENARIOS: readonly Scenario[] = [
  { ...QUIET, name: 'nothing differs', effects: NONE },
  { ...QUIET, name: 'two of four differ by 10 %', effects: [0, 0, TENTH, TENTH] },
  { ...QUIET, name: 'all differ by the margin', effects: [MARGIN, MARGIN, -MARGIN, -MARGIN] },
  { ...QUIET, name: 'browsers differ by 3 %', effects: NONE, betweenBrowsers: 0.03 },
  { ...QUIET, name: 'browsers differ by 6 %', effects: NONE, betweenBrowsers: 0.06 },
  { ...QUIET, name: '5 % of loads fail', effects: NONE, failing: 0.05 },
  { ...QUIET, name: 'noise of 20 %', effects: NONE, betweenLoads: 0.2 },
  { ...QUIET, name: 'nothing differs, one look', effects: NONE, isFixed: true },
  { ...QUIET, name: 'all differ by 10 %', effects: [TENTH, TENTH, -TENTH, -TENTH] },
  { ...QUIET, name: 'all differ by 3 %', effects: [0.03, 0.03, -0.03, -0.03] },
];

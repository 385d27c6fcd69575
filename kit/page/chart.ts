/** A stack in charts and tables, with the same colour and shape everywhere on the page. */
export interface ChartStack {
  arm: string;
  label: string;
  /** Position in the run's plan, from 0; determines colour and shape. */
  place: number;
  /** Drawn pale with an outline: numbers from elsewhere, in the colour of a stack of the run. */
  pale?: boolean;
}

/** Data of a chart, unrounded. */
export interface ChartData {
  /** Title within its figure; absent: the only chart. */
  title?: string;
  /** Stacks in its legend; absent: no legend. */
  arms?: readonly ChartStack[];
  /** Headings with their units. */
  columns: readonly string[];
  /** Computed when a file needs them; null: missing. */
  rows(): readonly (readonly (string | number | null)[])[];
}

export interface Chart {
  /** null: not yet in a figure. */
  name: string | null;
  svg: string;
  /** null: no data. */
  data: ChartData | null;
}

/** A stack as charts and tables show it: the same colour and shape everywhere on the page. */
export interface ChartStack {
  arm: string;
  label: string;
  /** Place in the run's plan, from 0; decides colour and shape. */
  place: number;
  /** Drawn pale with an outline: numbers from elsewhere beside those of the stack in the same colour. */
  pale?: boolean;
}

/** The numbers behind a chart, unrounded. */
export interface ChartData {
  /** Of the chart among those of its figure; absent: it is alone. */
  title?: string;
  /** Whose lines or bars it has, for its legend; absent: it needs none. */
  arms?: readonly ChartStack[];
  /** Headings with their units. */
  columns: readonly string[];
  /** Made where a file needs them; null: missing. */
  rows(): readonly (readonly (string | number | null)[])[];
}

export interface Chart {
  /** null: not yet in a figure. */
  name: string | null;
  svg: string;
  /** null: only drawn. */
  data: ChartData | null;
}

import type { ReportView } from './condition-view.ts';
import type { Markup } from './markup.ts';

/** A section of a run's page. */
export interface Section {
  /** Of its heading, for links. */
  id: string;
  /** In the page's contents. */
  title: string;
  isShown(view: ReportView): boolean;
  /** The section, for views that it is shown of. */
  render(view: ReportView): Markup;
  /** Its part of the page's style sheet. */
  style?: string;
}

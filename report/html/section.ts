import type { Markup } from './markup.ts';

/** One section of a page. */
export interface Section<View> {
  /** Of its heading: where links lead. */
  id: string;
  /** In the list of contents. */
  title: string;
  isShown(view: View): boolean;
  /** The section, for views that it is shown of. */
  render(view: View, id: string): Markup;
  /** Rules beside those of every page. */
  style?: string;
}

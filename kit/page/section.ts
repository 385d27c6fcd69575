import { html, type Insert, type Markup } from './markup.ts';

/** One section of a page; its list of contents, its body and its style sheet derive from these. */
export interface Section<View> {
  /** Of its heading: where links lead. */
  id: string;
  /** In the list of contents; null: it is not there. */
  title: string | null | ((view: View) => string);
  /** Left out: on every page. */
  isShown?(view: View): boolean;
  render(view: View, id: string): Markup | null;
  /** Rules beside those of every page. */
  style?: string;
}

/** A section that most pages lack: it is loaded where it may be shown, and still decides itself. */
export interface RareSection<View> {
  isShown(view: View): boolean;
  load(): Promise<Section<View>>;
}

export async function shownSections<View>(
  sections: readonly (Section<View> | RareSection<View>)[],
  view: View,
): Promise<Section<View>[]> {
  const isShown = (section: Pick<Section<View>, 'isShown'>) => section.isShown?.(view) ?? true;
  const loaded = await Promise.all(
    sections.filter(isShown).map((section) => ('load' in section ? section.load() : section)),
  );
  return loaded.filter(isShown);
}

/** What folds away: its heading stays, with a line about what is in it. */
interface FoldParts {
  title: Insert;
  /** What is in it, in a few words. */
  about: Insert;
  content: Insert;
}

/** A section that folds away; its heading is its title, unless `parts` have one. */
export function defineFoldedSection<View>(
  id: string,
  title: string | ((view: View) => string),
  parts: (view: View) => Omit<FoldParts, 'title'> & Partial<FoldParts>,
): Section<View> {
  const heading = (view: View) => (typeof title === 'string' ? title : title(view));
  return {
    id,
    title,
    render: (view) => foldedSection(id, { title: heading(view), ...parts(view) }),
  };
}

/** A section that is always open; its heading is its title, unless `parts` have one. */
export function defineOpenSection<View>(
  id: string,
  title: string,
  parts: (view: View) => Pick<FoldParts, 'content'> & Partial<FoldParts>,
): Section<View> {
  return {
    id,
    title,
    render: (view) => {
      const { title: heading = title, content } = parts(view);
      return html`<section aria-labelledby="${id}"><h2 id="${id}">${heading}</h2>
${content}</section>`;
    },
  };
}

/** A section that opens when it is asked for, or when a link leads to it. */
export function foldedSection(id: string, { title, about, content }: FoldParts): Markup {
  return html`<section class="folded" aria-labelledby="${id}"><details class="printed"><summary><h2 id="${id}">${title}</h2> <span class="quiet">${about}</span></summary>
${content}
</details></section>`;
}

export function foldedPart({ title, about, content }: FoldParts): Markup {
  return html`<details class="folded part printed"><summary><h3>${title}</h3> <span class="quiet">${about}</span></summary>
${content}
</details>`;
}

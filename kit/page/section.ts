import { html, type Insert, type Markup } from './markup.ts';

/** A section of a page; contents, body and style sheet derive from sections. */
export interface Section<View> {
  /** Id of its heading, the target of links. */
  id: string;
  /** Title in the list of contents; null: not listed. */
  title: string | null | ((view: View) => string);
  /** Absent: on every page. */
  isShown?(view: View): boolean;
  render(view: View, id: string): Markup | null;
  /** Style rules in addition to the common ones. */
  style?: string;
  /** JavaScript in addition to the common one. */
  script?: string;
}

/** A section that most pages lack: loaded only where it may appear, and decides itself. */
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

/** Collapsible content below its heading and a summary line. */
interface FoldParts {
  title: Insert;
  /** Short summary. */
  about: Insert;
  content: Insert;
}

/** A collapsible section; its heading is its title, unless `parts` have one. */
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

/** A section that opens by click or link. */
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

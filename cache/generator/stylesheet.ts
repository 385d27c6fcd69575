import { type Draft, textDraft } from './filler.ts';
import { FONT_LETTER, fontFamily } from './font.ts';
import type { PlannedResource } from './plan.ts';
import type { RandomSource } from './random.ts';

/** A stylesheet of exactly `bytes` bytes that refers to its fonts and images; the rest are rules that match nothing. */
export function stylesheetDraft(resource: PlannedResource, random: RandomSource): Draft {
  const rules = resource.requests.map((request) => rule(request.resource));
  const block = { open: '', line: { before: '.unused{content:"', after: '"}' }, close: '' };
  return textDraft(resource.object.bytes, rules.join(''), block, random);
}

/** The elements of a document that make a stylesheet's rules ask for its fonts and images. */
export function styledElements(stylesheet: PlannedResource): string {
  return stylesheet.requests
    .map(({ resource }) =>
      resource.object.type === 'font'
        ? `<b class="r${resource.index}">${FONT_LETTER}</b>`
        : `<i class="r${resource.index}"></i>`,
    )
    .join('');
}

/** The rule that declares a font. */
export function fontFace(font: PlannedResource): string {
  return `@font-face{font-family:${fontFamily(font.index)};src:url(${font.url})}\n`;
}

function rule(resource: PlannedResource): string {
  const { index, object, url } = resource;
  if (object.type === 'font')
    return `${fontFace(resource)}.r${index}{font-family:${fontFamily(index)}}\n`;
  return `.r${index}{display:inline-block;width:16px;height:16px;background:url(${url})}\n`;
}

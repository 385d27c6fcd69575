import {
  type Draft,
  type Filler,
  fixedDraft,
  splitProportionally,
  TooSmallError,
  textDraft,
  textFiller,
} from './filler.ts';
import { FONT_LETTER, fontFamily } from './font.ts';
import { shownSize } from './image.ts';
import { finalResource, type PlannedRequest, type PlannedResource } from './plan.ts';
import { type RandomSource, words } from './random.ts';

/** Maximum number of visible characters in the document, and in one paragraph. */
const VISIBLE_CHARACTERS = 24_000;
const PARAGRAPH_CHARACTERS = 1200;

/** Filler of a document, safe in any element. */
const COMMENT = { before: '<!-- ', after: ' -->' };

interface Piece {
  html: string;
  inBody: boolean;
}

/**
 * A document or the content of an iframe, of exactly `bytes` bytes. Its requests are in the order of the shape,
 * with paragraphs and comments spread evenly between them.
 * @param title of the page: plain text without `<` and `&`
 */
export function documentDraft(
  title: string,
  resource: PlannedResource,
  random: RandomSource,
): Draft {
  const { bytes, type } = resource.object;
  const isPage = type === 'document';
  const opening = isPage ? pageOpening(title, resource) : frameOpening(resource);
  const pieces = [...markup(resource), ...lastPieces(resource)];
  const firstInBody = pieces.findIndex((piece) => piece.inBody);
  const inHead = firstInBody === -1 ? pieces.length : firstInBody;
  const texts = pieces.map((piece) => piece.html);
  const bodyStart = isPage ? `<body>\n<h1>${title}</h1>\n` : '<body>\n';
  const head = [opening, ...texts.slice(0, inHead)];
  const body = [bodyStart, ...texts.slice(inHead)];

  const count = head.length + body.length;
  const room = bytes - [...head, ...body].join('').length;
  if (room < 0 && pieces.length === 0) return bareDraft(bytes);
  if (room < 0) {
    throw new TooSmallError(
      `${resource.url} needs ${-room} bytes more than its shape has`,
      bytes - room,
    );
  }
  const gaps = splitProportionally(room, new Array(count).fill(1));
  const readable = Math.min(PARAGRAPH_CHARACTERS, Math.floor(VISIBLE_CHARACTERS / count));
  const parts = [...head, ...body].map((text, index) => {
    const gap = gaps[index] as number;
    const hasParagraph = isPage && index >= head.length;
    const paragraph = hasParagraph ? paragraphOf(Math.min(readable, gap), random) : '';
    return {
      text: text + paragraph,
      filler: textFiller(gap - paragraph.length, COMMENT, random),
    };
  });
  return joinedDraft(parts);
}

/** The parts in order, each followed by filler with an even share of the random bytes. */
function joinedDraft(parts: { text: string; filler: Filler }[]): Draft {
  const capacities = parts.map(({ filler }) => filler.capacity);
  const capacity = capacities.reduce((sum, each) => sum + each, 0);
  const write = (randomBytes: number) => {
    const shares = splitProportionally(randomBytes, capacities);
    const texts = parts.map(
      ({ text, filler }, index) => text + filler.write(shares[index] as number),
    );
    return Buffer.from(texts.join(''), 'latin1');
  };
  return { capacity, write };
}

function pageOpening(title: string, page: PlannedResource): string {
  const fonts = page.requests.filter(({ resource, byScript }) => isFont(resource) && !byScript);
  const faces = fonts.map(({ resource }) => fontFace(resource)).join('');
  return (
    `<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>${title}</title>\n` +
    // Prevents a request for /favicon.ico, which is not in the shape.
    `<link rel="icon" href="data:,">\n<style>\nbody{font-family:sans-serif;margin:16px}\n${faces}</style>\n`
  );
}

function frameOpening(frame: PlannedResource): string {
  return `<!doctype html>\n<meta charset="utf-8">\n<title>${frame.index}</title>\n`;
}

/** A document that is too small for a full frame: as much of it as fits. */
function bareDraft(bytes: number): Draft {
  const text = '<!doctype html>';
  return fixedDraft(
    Buffer.from(bytes < text.length ? '.'.repeat(bytes) : text.padEnd(bytes, '\n'), 'latin1'),
  );
}

/** Elements that the document requests before the load event, in order. */
function markup(page: PlannedResource): Piece[] {
  const pieces: Piece[] = [];
  let inline: PlannedRequest[] = [];
  const endInline = () => {
    if (inline.length > 0) pieces.push({ html: inlineScript(inline), inBody: false });
    inline = [];
  };
  for (const request of page.requests.filter(({ afterLoad }) => !afterLoad)) {
    if (request.byScript) {
      inline.push(request);
      continue;
    }
    endInline();
    pieces.push(element(request.resource));
  }
  endInline();
  return pieces;
}

/** End of the document: elements for the stylesheets' rules, a first layout, requests after the load event. */
function lastPieces(page: PlannedResource): Piece[] {
  const styled = stylesheetsOf(page).map(styledElements).join('');
  const later = page.requests.filter(({ afterLoad }) => afterLoad);
  const fonts = page.requests.some(({ resource, byScript }) => isFont(resource) && !byScript);
  const pieces: Piece[] = [];
  if (styled !== '') pieces.push({ html: `<p>${styled}</p>\n`, inBody: true });
  if (styled !== '' || fonts) {
    // Layout requests fonts and background images: forces it before the load event.
    pieces.push({ html: '<script>document.body.offsetHeight</script>\n', inBody: true });
  }
  if (later.length > 0) pieces.push({ html: inlineScript(later), inBody: true });
  return pieces;
}

function stylesheetsOf(resource: PlannedResource): PlannedResource[] {
  return resource.requests.flatMap(({ resource: requested }) => {
    if (requested.object.type === 'stylesheet') return [requested];
    return requested.object.type === 'script' ? stylesheetsOf(requested) : [];
  });
}

function element(resource: PlannedResource): Piece {
  const { url } = resource;
  const { type, bytes } = finalResource(resource).object;
  switch (type) {
    case 'stylesheet':
      return { html: `<link rel="stylesheet" href="${url}">\n`, inBody: false };
    case 'script':
      return { html: `<script src="${url}"></script>\n`, inBody: false };
    case 'font':
      return {
        html: `<b style="font-family:${fontFamily(resource.index)}">${FONT_LETTER}</b>\n`,
        inBody: true,
      };
    case 'iframe':
      return { html: `<iframe src="${url}" width="240" height="60"></iframe>\n`, inBody: true };
    case 'image': {
      const { widthPx, heightPx } = shownSize(bytes);
      return {
        html: `<img src="${url}" width="${widthPx}" height="${heightPx}" alt="">\n`,
        inBody: true,
      };
    }
    default:
      throw new Error(`${url}: no markup requests the type ${type}`);
  }
}

function inlineScript(requests: PlannedRequest[]): string {
  return `<script>\n${scriptCode(requests)}</script>\n`;
}

function isFont(resource: PlannedResource): boolean {
  return resource.object.type === 'font';
}

function paragraphOf(characters: number, random: RandomSource): string {
  const around = '<p></p>\n'.length;
  return characters < around + 20 ? '' : `<p>${words(characters - around, random)}</p>\n`;
}

/** A script of exactly `bytes` bytes with its requests; the rest is an unused function. */
export function scriptDraft(resource: PlannedResource, random: RandomSource): Draft {
  const block = {
    open: 'function unused(){return[\n',
    line: { before: '"', after: '",' },
    close: ']}\n',
  };
  return textDraft(resource.object.bytes, scriptCode(resource.requests), block, random);
}

/** JavaScript for these requests, now or right after the load event; empty without requests. */
function scriptCode(requests: PlannedRequest[]): string {
  const now = requests.filter((request) => !request.afterLoad);
  const later = requests.filter((request) => request.afterLoad);
  if (requests.length === 0) return '';
  const helpers = [...new Set(requests.map(({ resource }) => helperOf(resource)))];
  const lines = [...helpers.map((helper) => HELPERS[helper]), ...now.map(statement)];
  if (later.length > 0) {
    // The timer runs after the load event.
    lines.push('addEventListener("load",function(){setTimeout(function(){');
    lines.push(...later.map(statement), '},0)});');
  }
  return `(function(){\n${lines.join('\n')}\n})();\n`;
}

const HELPERS = {
  add:
    'function add(tag,values){var d=document,e=d.createElement(tag);' +
    'for(var k in values)e[k]=values[k];(d.body||d.head).appendChild(e);return e}',
  ask:
    'function ask(method,url){var x=new XMLHttpRequest;x.open(method,url);' +
    'x.send(method=="POST"?"sent":null)}',
  // Reads the body, as the browser treats an unread one as an aborted request.
  get: 'function get(method,url){fetch(url,{method:method}).then(function(r){return r.text()})}',
  face:
    'function face(family,url){var f=new FontFace(family,"url("+url+")");' +
    'document.fonts.add(f);f.load()}',
};

function helperOf(resource: PlannedResource): keyof typeof HELPERS {
  const { type } = finalResource(resource).object;
  if (type === 'xhr') return 'ask';
  if (type === 'other') return 'get';
  return type === 'font' ? 'face' : 'add';
}

function statement({ resource }: PlannedRequest): string {
  const { url, name } = resource;
  const { type, bytes } = finalResource(resource).object;
  const method = resource.object.post ? 'POST' : 'GET';
  switch (type) {
    case 'image': {
      const { widthPx, heightPx } = shownSize(bytes);
      return `add("img",{src:"${url}",width:${widthPx},height:${heightPx}});`;
    }
    case 'script':
      return `add("script",{src:"${url}"});`;
    case 'stylesheet':
      // Layout makes the browser request the stylesheet's resources.
      return `add("link",{rel:"stylesheet",href:"${url}",onload:function(){document.body.offsetHeight}});`;
    case 'font':
      return `face("${fontFamily(resource.index)}","${url}");`;
    case 'iframe':
      return method === 'GET'
        ? `add("iframe",{src:"${url}",width:240,height:60});`
        : `add("iframe",{name:"${name}",width:240,height:60});` +
            `add("form",{method:"post",action:"${url}",target:"${name}"}).submit();`;
    case 'xhr':
      return `ask("${method}","${url}");`;
    default:
      return `get("${method}","${url}");`;
  }
}

/** A stylesheet of exactly `bytes` bytes with its fonts and images; the rest are rules that match nothing. */
export function stylesheetDraft(resource: PlannedResource, random: RandomSource): Draft {
  const rules = resource.requests.map((request) => rule(request.resource));
  const block = { open: '', line: { before: '.unused{content:"', after: '"}' }, close: '' };
  return textDraft(resource.object.bytes, rules.join(''), block, random);
}

function styledElements(stylesheet: PlannedResource): string {
  return stylesheet.requests
    .map(({ resource }) =>
      resource.object.type === 'font'
        ? `<b class="r${resource.index}">${FONT_LETTER}</b>`
        : `<i class="r${resource.index}"></i>`,
    )
    .join('');
}

function fontFace(font: PlannedResource): string {
  return `@font-face{font-family:${fontFamily(font.index)};src:url(${font.url})}\n`;
}

function rule(resource: PlannedResource): string {
  const { index, object, url } = resource;
  if (object.type === 'font')
    return `${fontFace(resource)}.r${index}{font-family:${fontFamily(index)}}\n`;
  return `.r${index}{display:inline-block;width:16px;height:16px;background:url(${url})}\n`;
}

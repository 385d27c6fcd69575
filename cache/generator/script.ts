import { type Draft, textDraft } from './filler.ts';
import { fontFamily } from './font.ts';
import { shownSize } from './image.ts';
import { finalResource, type PlannedRequest, type PlannedResource } from './plan.ts';
import type { RandomSource } from './random.ts';

/** A script of exactly `bytes` bytes that asks for what it has to ask for; the rest is a function nobody calls. */
export function scriptDraft(resource: PlannedResource, random: RandomSource): Draft {
  const block = {
    open: 'function unused(){return[\n',
    line: { before: '"', after: '",' },
    close: ']}\n',
  };
  return textDraft(resource.object.bytes, scriptCode(resource.requests), block, random);
}

/** JavaScript that makes these requests, now or right after the load event; empty when there is none. */
export function scriptCode(requests: PlannedRequest[]): string {
  const now = requests.filter((request) => !request.afterLoad);
  const later = requests.filter((request) => request.afterLoad);
  if (requests.length === 0) return '';
  const helpers = [...new Set(requests.map(({ resource }) => helperOf(resource)))];
  const lines = [...helpers.map((helper) => HELPERS[helper]), ...now.map(statement)];
  if (later.length > 0) {
    // The timer lets the load event end first.
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
  // A body that nobody reads is an aborted request to the browser.
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
      // Layout makes the browser ask for what the stylesheet refers to.
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

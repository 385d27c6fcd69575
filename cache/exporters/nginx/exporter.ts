import type { EntryNote } from '../../notes.ts';
import { ALT_SVC, type Answer, type Configuration, serverExporter } from '../server-folder.ts';

/** nginx: a map finds the answer to a request, and each answer is a location. */
export const writeNginx = serverExporter({
  folder: import.meta.dirname,
  title: 'nginx',
  stacks: ['own-h2', 'own-h1'],
  hasBodies: true,
  limits: [
    'Every answer has a header `server: nginx`, which cannot be turned off.',
    'URLs that differ from a recorded one only in case get its answer.',
    'Conditional and range requests get the whole answer, except range requests for resources that were recorded with `accept-ranges: bytes`.',
    'HTTP/3 needs nginx 1.25 or newer, built --with-http_v3_module; add own-h3 to --stacks then.',
  ],
  configure,
});

/** Limit of nginx for words, with a margin; a quoted character may take two bytes. */
const MAX_WORD = 4000;
const MAX_PART = 2000;

/** Quotes a text for the configuration; directives may still expand variables in it. */
export function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** Defines variables at the http level for texts that do not fit a word: too long, or with a `$`, which cannot be escaped. */
export class Texts {
  readonly lines: string[] = [];

  /** The text as a word of a directive that expands variables. */
  word(text: string): string {
    if (!text.includes('$') && quoted(text).length <= MAX_WORD) return quoted(text);
    const parts = text.match(new RegExp(`.{1,${MAX_PART}}`, 'gs')) ?? [];
    const names = parts.map((part) => {
      const name = `text_${this.lines.length}`;
      // nginx takes values of geo literally.
      this.lines.push(`geo $${name} { default ${quoted(part)}; }`);
      return `\${${name}}`;
    });
    return `"${names.join('')}"`;
  }
}

function configure(all: readonly Answer[]): Configuration {
  const notes: EntryNote[] = [];
  const note = ({ method, url }: Answer, text: string) =>
    notes.push({ where: `${method} ${url.slice(0, 200)}`, text });
  const answers = all.filter((answer) => {
    const fits = quoted(keyPattern(answer)).length <= MAX_WORD;
    if (!fits) note(answer, 'omitted: nginx reads no words of 4,096 characters');
    return fits;
  });
  const texts = new Texts();
  const locations = answers.map((answer) => {
    for (const [name, value] of answer.headers) {
      if (value === '') note(answer, `nginx sends no empty header: ${name}`);
    }
    return locationsOf(answer, texts);
  });
  const files = new Map<string, string | Uint8Array>([
    ['requests.conf', requestsOf(answers, texts)],
    ['answers.conf', `${SERVER}${locations.join('')}`],
    ['bodies/none', ''],
  ]);
  return { files, notes };
}

function keyOf({ method, host, target }: Answer): string {
  return `${method} ${host}${target}`;
}

function keyPattern(answer: Answer): string {
  return `~^${keyOf(answer).replace(/[^A-Za-z0-9/ ]/g, '\\$&')}$`;
}

function requestsOf(answers: readonly Answer[], texts: Texts): string {
  // Map words are compared without case, patterns with case.
  const alike = Map.groupBy(answers, (answer) => keyOf(answer).toLowerCase());
  const keys = answers.map((answer) => {
    const alone = alike.get(keyOf(answer).toLowerCase())?.length === 1;
    return { id: answer.id, key: alone ? keyOf(answer) : keyPattern(answer) };
  });
  const longest = Math.max(...keys.map(({ key }) => key.length));
  return `# Selects the answer to a request.
variables_hash_max_size 65536;
map_hash_max_size ${2 * Math.max(2048, keys.length)};
map_hash_bucket_size ${2 ** Math.ceil(Math.log2(longest + 64))};
map $request_method $asked_method {
	default $request_method;
	HEAD GET;
}
map "$http_service_worker$asked_method $host$request_uri" $answer {
	default missing;
${keys.map(({ key, id }) => `\t${quoted(key)} ${id};\n`).join('')}}

# Parts of header values that a directive cannot contain.
${texts.lines.map((line) => `${line}\n`).join('')}`;
}

const SERVER = `# The answers. Files are sent only with recorded headers.
root site;
etag off;
if_modified_since off;
max_ranges 0;
types {}
default_type "";
error_page 404 /.body/missing;
location / {
	rewrite ^ /.answer/$answer? last;
}
location = /.answer/missing {
	internal;
	return 404;
}
location = /.body/missing {
	internal;
	alias site/bodies/none;
	add_header alt-svc '${ALT_SVC}' always;
	add_header last-modified "";
}
`;

/** Files are sent for GET with 200: other methods and statuses are redirected internally by an error page. */
function locationsOf(answer: Answer, texts: Texts): string {
  const { id, method, url, status, file, headers } = answer;
  const title = `\n# ${method} ${url}\n`;
  if (status === 204 || status === 304) {
    return `${title}location = /.answer/${id} {\n\tinternal;\n${headerLines(answer, texts)}\treturn ${status};\n}\n`;
  }
  const isPlain = method === 'GET' && status === 200;
  const hop = `location = /.answer/${id} {\n\tinternal;\n\terror_page 418 =${status} /.body/${id};\n\treturn 418;\n}\n`;
  const type = headers.find(([name]) => name === 'content-type')?.[1];
  const takesRanges = headers.some(
    ([name, value]) => name === 'accept-ranges' && value === 'bytes',
  );
  return `${title}${isPlain ? '' : hop}location = /.${isPlain ? 'answer' : 'body'}/${id} {
	internal;
	alias site/bodies/${file ?? 'none'};
${type ? `\tdefault_type ${quoted(type)};\n` : ''}${takesRanges ? '\tmax_ranges 1;\n' : ''}${headerLines(answer, texts)}}
`;
}

function headerLines({ headers, status }: Answer, texts: Texts): string {
  const own = headers.filter(
    ([name, value]) =>
      name !== 'content-type' &&
      value !== '' &&
      !(name === 'accept-ranges' && value === 'bytes' && status === 200),
  );
  const lines = own.map(
    ([name, value]) => `\tadd_header ${quoted(name)} ${texts.word(value)} always;\n`,
  );
  // Without a recorded date nginx would send the time of the file.
  const dated = headers.some(([name]) => name === 'last-modified');
  return `${lines.join('')}${dated ? '' : '\tadd_header last-modified "";\n'}`;
}

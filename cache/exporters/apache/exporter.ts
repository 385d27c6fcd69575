import type { EntryNote } from '../../notes.ts';
import { ALT_SVC, type Answer, type Configuration, serverExporter } from '../server-folder.ts';

/** Apache: a map finds the answer to a request, a file with headers and body that is sent unchanged. */
export const writeApache = serverExporter({
  folder: import.meta.dirname,
  title: 'Apache',
  stacks: ['own-h2', 'own-h1'],
  hasBodies: false,
  limits: [
    'Every answer has a header `server: Apache`, which cannot be turned off.',
    'Conditional and range requests are answered as Apache does.',
    'Header fields of one name are joined in one line, except set-cookie, and `vary` has no blanks.',
    'Responses to HEAD have no length.',
  ],
  configure,
});

/** Apache's limit for lines of maps, and of headers in files. */
const MAX_MAP_LINE = 1000;
const MAX_HEADER_LINE = 8000;

/** A pattern that matches only this part of a URL, and contains no variable of the configuration. */
export function patternOf(text: string): string {
  return `^${text.replace(/[^A-Za-z0-9/:]/g, '\\$&')}$`;
}

function configure(all: readonly Answer[]): Configuration {
  const notes: EntryNote[] = [];
  const note = ({ method, url }: Answer, text: string) =>
    notes.push({ where: `${method} ${url.slice(0, 200)}`, text });
  const answers = all.filter((answer) => {
    const fits = patternOf(keyOf(answer)).length <= MAX_HEADER_LINE;
    if (!fits) note(answer, 'omitted: Apache reads no lines of 8,192 characters');
    return fits;
  });
  const [long, short] = [true, false].map((isLong) =>
    answers.filter((answer) => keyOf(answer).length > MAX_MAP_LINE === isLong),
  ) as [Answer[], Answer[]];
  const prefix = prefixFor(answers);
  const files = new Map<string, string | Uint8Array>([
    ['requests.txt', short.map((answer) => `${keyOf(answer)} ${answer.id}\n`).join('')],
    ['answers.conf', `${BEGIN}${long.map(longRule).join('')}${endOf(prefix)}`],
    ['answers/missing.asis', `Status: 404 Not Found\nalt-svc: ${ALT_SVC}\n\n`],
    ...answers.map((answer): [string, Uint8Array] => {
      for (const [name, value] of answer.headers) {
        if (!fitsLine(name, value))
          note(answer, `header omitted, Apache reads no lines of 8,192 characters: ${name}`);
      }
      return [`answers/${answer.id}.asis`, messageOf(answer, prefix)];
    }),
  ]);
  return { files, notes };
}

function keyOf({ method, host, target }: Answer): string {
  return `${method}:${host}${target}`;
}

function fitsLine(name: string, value: string): boolean {
  return name.length + value.length <= MAX_HEADER_LINE;
}

const BEGIN = `DocumentRoot site/answers
SetHandler send-as-is
# Files are sent for GET only: other methods are redirected internally by an error page.
ErrorDocument 405 /
RewriteEngine on
RewriteMap lower int:tolower
RewriteMap answers txt:site/requests.txt
RewriteCond "%{REQUEST_METHOD}" "!^(GET|HEAD)$"
RewriteRule "^" "-" [R=405,L]
RewriteCond "%{HTTP:Service-Worker}" "." [NV]
RewriteRule "^" "/missing.asis" [END]
RewriteCond "%{THE_REQUEST}" "^(\\S+) (\\S+)"
RewriteRule "^" "-" [E=METHOD:%1,E=TARGET:%2]
RewriteCond "%{ENV:METHOD}" "=HEAD"
RewriteRule "^" "-" [E=METHOD:GET]
RewriteCond "\${lower:%{HTTP_HOST}}" "^([^:]+)"
RewriteRule "^" "-" [E=HOST:%1]
`;

/** A rule for a URL that is too long for the map. */
function longRule(answer: Answer): string {
  return `RewriteCond "%{ENV:METHOD}:%{ENV:HOST}%{ENV:TARGET}" "${patternOf(keyOf(answer))}"
RewriteRule "^" "/${answer.id}.asis" [END]
`;
}

/** Header fields that Apache would interpret itself: a redirect and a status. */
const FOLLOWED = ['location', 'status'] as const;

/** Prefix for such fields in files, which no answer uses. */
function prefixFor(answers: readonly Answer[]): string {
  const names = answers.flatMap(({ headers }) => headers.map(([name]) => name));
  for (let number = 1; ; number++) {
    const prefix = `x-recorded-${number}-`;
    if (!names.some((name) => name.startsWith(prefix))) return prefix;
  }
}

function endOf(prefix: string): string {
  const renamed = FOLLOWED.map(
    (
      name,
    ) => `Header always set ${name} "expr=%{resp:${prefix}${name}}" "expr=-n resp('${prefix}${name}')"
Header always unset ${prefix}${name}
`,
  );
  return `RewriteRule "^" "/\${answers:%{ENV:METHOD}:%{ENV:HOST}%{ENV:TARGET}|missing}.asis" [END]
# Fields that Apache would interpret have another name in the file.
${renamed.join('')}`;
}

/** Omits status 200, with which Apache would ignore validators. */
function messageOf({ method, status, headers, bytes }: Answer, prefix: string): Buffer {
  const followed: readonly string[] = FOLLOWED;
  const lines = [
    ...(status === 200 && method === 'GET' ? [] : [`Status: ${status} Recorded`]),
    ...headers.flatMap(([name, value]) =>
      fitsLine(name, value) ? [`${followed.includes(name) ? prefix : ''}${name}: ${value}`] : [],
    ),
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\n')}\n\n`, 'latin1'), bytes]);
}

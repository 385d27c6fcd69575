import { ALT_SVC, type Answer, serverExporter } from '../server-folder.ts';

/** Caddy, by its native configuration: a map finds the answer to a request, and each answer is a route. */
export const writeCaddy = serverExporter({
  folder: import.meta.dirname,
  title: 'Caddy',
  stacks: ['own-h3', 'own-h2', 'own-h1'],
  hasBodies: true,
  limits: ['Conditional requests and requests for a part get the whole answer.'],
  configure: (answers) => ({
    files: new Map([['routes.json', `${JSON.stringify(routesOf(answers), null, '\t')}\n`]]),
    notes: [],
  }),
});

export function withoutPlaceholders(text: string): string {
  // Without an opening brace nothing is replaced, and backslashes are literal.
  return text.includes('{') ? text.replace(/[{}]/g, '\\$&') : text;
}

/** Over HTTP/3 Caddy omits the length of a response without body. */
const EMPTY = { 'Content-Length': ['0'] };

/** Fields that Caddy adds, `Vary` in newer versions only. */
const ADDED = ['Accept-Ranges', 'Alt-Svc', 'Etag', 'Last-Modified', 'Server', 'Vary'];

function routesOf(answers: readonly Answer[]) {
  const keyOf = ({ method, host, target }: Answer) => `${method} ${host}${target}`;
  const gets = answers.filter(({ method }) => method === 'GET');
  const mappings = [
    ...answers.map((answer) => ({ input: keyOf(answer), outputs: [answer.id] })),
    ...gets.map((answer) => ({
      input: keyOf({ ...answer, method: 'HEAD' as 'GET' }),
      outputs: [answer.id],
    })),
  ];
  return [
    {
      handle: [
        {
          handler: 'map',
          source:
            '{http.request.header.Service-Worker}{http.request.method} {http.request.host}{http.request.orig_uri}',
          destinations: ['{answer}'],
          mappings,
          defaults: ['missing'],
        },
        // Looks the answer up once, as each use would go through the map.
        { handler: 'vars', answer: '{answer}', file: '', status: '404' },
      ],
    },
    ...answers.map(routeOf),
    route('missing', [
      {
        handler: 'headers',
        response: { deferred: true, set: { 'Alt-Svc': [ALT_SVC], ...EMPTY } },
      },
    ]),
    {
      handle: [
        {
          handler: 'headers',
          request: { delete: ['If-None-Match', 'If-Modified-Since', 'Range'] },
          // Applied last, before the recorded headers are added.
          response: { deferred: true, delete: ADDED },
        },
      ],
    },
    {
      match: [{ vars: { file: [''] } }],
      handle: [
        {
          handler: 'static_response',
          status_code: '{http.vars.status}',
          // Newer versions add one over HTTP/3, also with 204.
          headers: { 'Content-Length': [] },
        },
      ],
      terminal: true,
    },
    {
      handle: [
        {
          handler: 'file_server',
          root: 'site/bodies',
          status_code: '{http.vars.status}',
          canonical_uris: false,
        },
      ],
    },
  ];
}

function route(answer: string, handle: object[]) {
  return { group: 'answer', match: [{ vars: { answer: [answer] } }], handle };
}

function routeOf({ id, method, headers, status, file }: Answer) {
  const type = headers.find(([name]) => name === 'content-type')?.[1];
  const repeatable = headers.filter(([name]) => name !== 'content-type');
  const add = Object.fromEntries(
    [...Map.groupBy(repeatable, ([name]) => name)].map(([name, lines]) => [
      withoutPlaceholders(name),
      lines.map(([, value]) => withoutPlaceholders(value)),
    ]),
  );
  const response = {
    deferred: true,
    add,
    set: {
      // Replaces the type that Caddy derives from the file's name.
      ...(type !== undefined && { 'Content-Type': [withoutPlaceholders(type)] }),
      ...(file === null && status !== 204 && status !== 304 && EMPTY),
    },
  };
  return route(id, [
    { handler: 'headers', response },
    { handler: 'vars', file: file ?? '', status: String(status) },
    ...(file === null
      ? []
      : [{ handler: 'rewrite', uri: `/${file}`, ...(method === 'POST' && { method: 'GET' }) }]),
  ]);
}

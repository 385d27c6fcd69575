import path from 'node:path';
import { orSeed, packedOrNot } from '../../../../../test/long/fuzz-importers/archives.ts';
import {
  exchangesOf,
  type FuzzExchange,
} from '../../../../../test/long/fuzz-importers/exchange.ts';
import {
  CANARY_FILE,
  type FuzzMakers,
  oneFile,
} from '../../../../../test/long/fuzz-importers/input.ts';
import { maybeMutated } from '../../../../../test/long/fuzz-importers/mutation.ts';
import type { Choices } from '../../../../../test/long/fuzz-importers/random.ts';
import { seedsIn } from '../../../../../test/long/fuzz-importers/seeds.ts';

const SEEDS = [
  ...seedsIn(path.join(import.meta.dirname, '../unit/recorded'), '*.har{,.gz}').values(),
];

export const FUZZ: FuzzMakers = {
  har: (choices) =>
    oneFile(
      'a/a.har',
      packedOrNot(
        choices,
        maybeMutated(
          choices,
          orSeed(choices, SEEDS, () => har(choices)),
        ),
      ),
    ),
};

function har(choices: Choices): Buffer {
  const pairs = (headers: [string, string][]) => headers.map(([name, value]) => ({ name, value }));
  const entries = exchangesOf(choices).map((exchange) => ({
    startedDateTime: '2026-01-01T00:00:00.000Z',
    _resourceType: choices.pick(['document', 'script', 'image', 'csp-violation-report', '']),
    ...choices.pick<object>([{}, {}, { _bytesIn: '1e9' }, { _objectSizeUncompressed: '900' }]),
    ...choices.pick<object>([{}, {}, { _objectSize: exchange.body.length, _is_base_page: true }]),
    request: {
      method: choices.chance(90) ? exchange.method : null,
      url: exchange.url,
      headers: pairs(exchange.requestHeaders),
    },
    response: {
      status: choices.chance(80)
        ? Number(exchange.status)
        : choices.pick([exchange.status, `${exchange.status} OK`]),
      headers: pairs(exchange.headers),
      content: harContent(choices, exchange),
      redirectURL: '',
      ...(choices.chance(10)
        ? { _error: choices.pick(['net::ERR_ABORTED', '\u001b[2J', '']) }
        : {}),
      bodySize: choices.pick([-1, 0, exchange.body.length, 1e300]),
    },
    timings: { wait: choices.pick([-1, 0, 12.5, 1e300, null]), connect: choices.pick([-1, 20]) },
    serverIPAddress: choices.pick(['192.0.2.1', '', '[::1]', 'a']),
    ...(choices.chance(30) ? { pageref: choices.pick(['page_1', 'page_2', '__proto__']) } : {}),
    ...(choices.chance(30)
      ? { _initiator: { url: choices.pick(['https://www.a.test/', exchange.url]) } }
      : {}),
  }));
  const title = choices.pick([
    'https://www.a.test/',
    'Run 1 for https://www.a.test/x',
    '\u001b[2J',
  ]);
  const pages = [
    { id: 'page_1', title, startedDateTime: '2026-01-01T00:00:00Z', pageTimings: {} },
    ...(choices.chance(30) ? [{ id: 'page_2', _URL: choices.pick<unknown>([title, 5]) }] : []),
  ];
  const log = {
    version: '1.2',
    creator: { name: choices.pick(['a', '\u001b[2J', '']), version: '1' },
    pages: choices.chance(70) ? pages : choices.pick<unknown>([[], null, {}, 'a']),
    entries: choices.chance(97) ? entries : choices.pick<unknown>([{}, null, [null], [[]], 5]),
  };
  return Buffer.from(JSON.stringify({ log }));
}

function harContent(choices: Choices, { body }: FuzzExchange): unknown {
  const size = choices.pick([body.length, 0, -1, 1e18]);
  switch (choices.number(10)) {
    case 0:
      return { size, compression: choices.pick([-5, 0, 1e18]), text: body.toString('utf8') };
    case 1:
      return { size, text: `${body.toString('base64')}!*`, encoding: 'base64' };
    case 2:
      return {
        size,
        _file: choices.pick([`../${CANARY_FILE}`, CANARY_FILE, '/etc/passwd', 'a\0b']),
      };
    case 3:
      return choices.pick<unknown>([null, {}, [], 'a', { text: 5 }]);
    // Unannounced base64, a character for each byte, and a plain text that is declared base64.
    case 5:
      return { size, text: body.toString('base64') };
    case 6:
      return { size, text: body.toString('latin1') };
    case 7:
      return { size, text: new TextDecoder('windows-1252').decode(body) };
    case 8:
      return {
        size,
        text: choices.pick([body.toString('utf8'), 'true', 'data:image/png;base64,AAAA', '==']),
        encoding: 'base64',
      };
    case 4:
      return { size: body.length, _bodyAsSent: body.toString('base64') };
    default:
      return { size: body.length, text: body.toString('base64'), encoding: 'base64' };
  }
}

import path from 'node:path';
import {
  CANARY_FILE,
  type FuzzInput,
  type FuzzMakers,
  oneFile,
} from '../../../../../test/long/fuzz-importers/input.ts';
import { maybeMutated } from '../../../../../test/long/fuzz-importers/mutation.ts';
import type { Choices } from '../../../../../test/long/fuzz-importers/random.ts';
import { seedsIn } from '../../../../../test/long/fuzz-importers/seeds.ts';

const MANIFESTS = path.join(import.meta.dirname, '../../../../../test/unit/cache/dash');
const SEEDS = [...seedsIn(MANIFESTS, '*.mpd').values()];

export const FUZZ: FuzzMakers = { dash };

/** A DASH video with contents of a hostile or careless program. */
function dash(choices: Choices): FuzzInput {
  const isMp4 = choices.chance(50);
  const container = isMp4 ? 'mp4' : 'webm';
  const text = choices.chance(10) ? choices.pick(SEEDS).toString() : manifest(choices, container);
  const encoded = choices.chance(5) ? Buffer.from(`\ufeff${text}`, 'utf16le') : Buffer.from(text);
  const input = oneFile('a/a.mpd', maybeMutated(choices, encoded));
  const piece = isMp4 ? box('mdat', Buffer.alloc(40)) : cluster(Buffer.alloc(40));
  const names = ['init', ...Array.from({ length: 5 }, (_, number) => `v-${number}`)];
  for (const name of names) {
    if (choices.chance(3)) continue;
    const content = choices.chance(97) ? piece : maybeMutated(choices, piece);
    input.files.set(`a/${name}.${container}`, content);
  }
  const index = choices.chance(90) ? sidx(choices) : maybeMutated(choices, sidx(choices));
  input.files.set('a/whole.mp4', Buffer.concat([index, piece, piece]));
  if (choices.chance(10)) input.files.set(`a/v-2.${container}`, { link: `../${CANARY_FILE}` });
  return input;
}

const TRICK_MODE =
  '<EssentialProperty schemeIdUri="http://dashif.org/guidelines/trickmode" value="0"/>';

function manifest(choices: Choices, container: string): string {
  const odd = (usual: string, ...variants: string[]) =>
    choices.chance(95) ? usual : choices.pick(variants);
  const number = odd('1', ...ODD_NUMBERS);
  const representation = (id: string, kbps: number) =>
    `<Representation id="${odd(id, 'v', '../..', '%2e%2e', '$Number$', '', '\u0001')}" bandwidth="${odd(`${kbps}000`, ...ODD_NUMBERS)}" ${odd('codecs="vp09.00.11.08"', '')} width="256" height="${odd(`${kbps}`, ...ODD_NUMBERS)}">${choices.chance(10) ? base(choices) : ''}${segments(choices, container)}</Representation>`;
  const sets = Array.from(
    { length: 1 + choices.number(2) },
    (_, set) =>
      `<AdaptationSet mimeType="${odd(`video/${container}`, 'audio/webm', 'text/vtt', '', 'video/../mp4')}">${choices.chance(10) ? base(choices) : ''}${representation(`r${set}`, 100 * (set + 1))}${choices.chance(30) ? representation(`s${set}`, 300) : ''}${odd('', TRICK_MODE)}</AdaptationSet>`,
  );
  const period = `<Period ${odd('', 'duration="PT1S"', 'start="PT-5S"', 'xlink:href="x"', `duration="${choices.pick(ODD_TIMES)}"`)}>${choices.chance(10) ? base(choices) : ''}${sets.join('')}</Period>`;
  return `<?xml version="1.0"?>${odd('', '<!DOCTYPE MPD [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>', '<!DOCTYPE MPD SYSTEM "file:///etc/passwd">')}
<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" ${odd('', 'type="dynamic"', 'type="static" type="dynamic"')} mediaPresentationDuration="${odd('PT10S', ...ODD_TIMES)}" startNumber="${number}">
${choices.chance(10) ? base(choices) : ''}${period}${choices.chance(3) ? period : ''}</MPD>`;
}

const ODD_NUMBERS = [
  '0',
  '-1',
  '',
  'a',
  '1e308',
  '99999999999999999999',
  '0.0000001',
  '9007199254740992',
  'NaN',
];
const ODD_TIMES = ['', 'PT', 'PT0S', '-PT10S', 'P999999999Y', 'PT1e9S', 'PT0.001S', 'a'];

function base(choices: Choices): string {
  const references = [
    './',
    'a.mpd',
    `../${CANARY_FILE}`,
    '..%2f',
    '/',
    '//cdn.test/',
    'https://cdn.test/',
    'https://video.example/../',
    'file:///etc/',
    'data:text/plain,',
    'javascript:1',
    '\\..\\',
    '?a=1',
    '#a',
    '&a;&b;',
    '%00',
    'a/'.repeat(200),
    '',
  ];
  return `<BaseURL>${choices.pick(references)}</BaseURL>`.repeat(choices.pick([1, 1, 1, 2, 20]));
}

function segments(choices: Choices, container: string): string {
  const odd = (usual: string, ...variants: string[]) =>
    choices.chance(95) ? usual : choices.pick(variants);
  const media = odd(
    `v-$Number$.${container}`,
    `v-$Number%02d$.${container}`,
    `v-$Time$.${container}`,
    `../${CANARY_FILE}`,
    `$Number%0${choices.pick(['99999999', '5000', '-1', ''])}d$.${container}`,
    '$RepresentationID$/$Bandwidth$',
    '$$',
    '$',
    '',
  );
  const attributes = [
    `timescale="${odd('1', ...ODD_NUMBERS)}"`,
    `startNumber="${odd('1', ...ODD_NUMBERS)}"`,
    choices.chance(5) ? `endNumber="${choices.pick(ODD_NUMBERS)}"` : '',
    choices.chance(5) ? `presentationTimeOffset="${choices.pick(ODD_NUMBERS)}"` : '',
    choices.chance(70) ? `initialization="init.${container}"` : '',
  ].join(' ');
  const range = odd('0-47', '', '-', '5', '5-', '47-0', '0-99999999999', 'a-b');
  switch (choices.number(5)) {
    case 0: {
      const repeats = choices.pick(['', 'r="1"', 'r="-1"', 'r="999999999"', 'r="-5"', 'r="a"']);
      const times = `<S t="${odd('0', ...ODD_NUMBERS)}" d="${odd('5', ...ODD_NUMBERS)}" ${repeats}/>`;
      return `<SegmentTemplate ${attributes} media="${media}"><SegmentTimeline>${times.repeat(choices.pick([0, 1, 1, 2]))}</SegmentTimeline></SegmentTemplate>`;
    }
    case 1:
      return `<SegmentList duration="${odd('5', ...ODD_NUMBERS)}"><SegmentURL media="${media.replace('$Number$', '1')}" ${choices.chance(30) ? `mediaRange="${range}"` : ''}/><SegmentURL media="v-2.${container}"/></SegmentList>`;
    case 2:
      return `<BaseURL>whole.mp4</BaseURL><SegmentBase indexRange="${choices.chance(50) ? '0-55' : range}"><Initialization range="${range}"/></SegmentBase>`;
    default:
      return `<SegmentTemplate ${attributes} duration="${odd('5', ...ODD_NUMBERS)}" media="${media}"/>`;
  }
}

function box(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length, 0);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}

function cluster(body: Buffer): Buffer {
  return Buffer.concat([Buffer.from('1f43b675', 'hex'), Buffer.from([0x80 | body.length]), body]);
}

/** An index of two segments. */
function sidx(choices: Choices): Buffer {
  const body = Buffer.alloc(48);
  body.writeUInt32BE(choices.chance(95) ? 1000 : 0, 8);
  body.writeUInt16BE(choices.chance(95) ? 2 : 65_535, 22);
  for (const at of [24, 36]) {
    body.writeUInt32BE(choices.chance(90) ? 48 : choices.pick([0, 2 ** 31, 2 ** 32 - 1]), at);
    body.writeUInt32BE(choices.chance(95) ? 5000 : 0, at + 4);
  }
  return box('sidx', body);
}

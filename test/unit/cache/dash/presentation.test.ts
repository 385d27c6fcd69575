import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { readPresentation } from '../../../../cache/dash/presentation.ts';
import { ImportError } from '../../../../cache/import-error.ts';
import { IMPORT_LIMITS } from '../../../../cache/limits.ts';
import { assertEach } from '../../assert-each.ts';
import { mpd, NUMBERED, picture, segmentIndex } from './manifests.ts';

const URL_OF = (name: string) => `https://video.example/${name}`;

function read(text: string, index: Buffer = Buffer.alloc(0)) {
  return readPresentation(text, {
    file: 'manifest.mpd',
    url: URL_OF('manifest.mpd'),
    limits: IMPORT_LIMITS,
    bytesOf: async () => index,
  });
}

/** Segments as [file, bytes, from, duration], of the only quality level. */
async function segmentsOf(text: string, index?: Buffer) {
  const { presentation } = await read(text, index);
  const [representation] = presentation.representations;
  return representation?.segments.map(({ url, bytes, fromMs, durationMs }) => [
    url.replace(URL_OF(''), ''),
    bytes,
    fromMs,
    durationMs,
  ]);
}

test("gives numbered segments the manifest's duration, and the last one the rest of the video", async () => {
  assert.deepEqual(await segmentsOf(mpd(picture(NUMBERED))), [
    ['low-001.webm', null, 0, 4000],
    ['low-002.webm', null, 4000, 4000],
    ['low-003.webm', null, 8000, 2000],
  ]);
});

test('begins and ends numbers where the manifest does', async () => {
  const from5 =
    '<SegmentTemplate duration="5" startNumber="5" endNumber="6" media="$Number$.m4s"/>';
  assert.deepEqual(await segmentsOf(mpd(picture(from5))), [
    ['5.m4s', null, 0, 5000],
    ['6.m4s', null, 5000, 5000],
  ]);
});

test('applies an offset of media times to segments of timelines only', async () => {
  const offset = 'timescale="1000" presentationTimeOffset="3000"';
  const numbered = `<SegmentTemplate ${offset} duration="5000" media="$Number$.m4s"/>`;
  assertEach(await segmentsOf(mpd(picture(numbered))), ([, , fromMs]) => fromMs, [0, 5000]);
  const timed = `<SegmentTemplate ${offset} media="$Time$.m4s"><SegmentTimeline><S t="3000" d="5000" r="1"/></SegmentTimeline></SegmentTemplate>`;
  assert.deepEqual(await segmentsOf(mpd(picture(timed))), [
    ['3000.m4s', null, 0, 5000],
    ['8000.m4s', null, 5000, 5000],
  ]);
});

test('reads the duration of each segment from a timeline, and repeats to the end', async () => {
  const timeline =
    '<SegmentTemplate timescale="1000" media="t$Time$.webm"><SegmentTimeline><S t="0" d="1000"/><S d="3000" r="-1"/></SegmentTimeline></SegmentTemplate>';
  assert.deepEqual(await segmentsOf(mpd(picture(timeline))), [
    ['t0.webm', null, 0, 1000],
    ['t1000.webm', null, 1000, 3000],
    ['t4000.webm', null, 4000, 3000],
    ['t7000.webm', null, 7000, 3000],
  ]);
});

test('reads each segment of a list, whole files or parts of one', async () => {
  const list =
    '<BaseURL>low/all.mp4</BaseURL><SegmentList duration="5"><Initialization range="0-99"/><SegmentURL mediaRange="100-599"/><SegmentURL media="second.mp4"/></SegmentList>';
  const text = mpd(picture(list));
  assert.deepEqual(await segmentsOf(text), [
    ['low/all.mp4', [100, 599], 0, 5000],
    ['low/second.mp4', null, 5000, 5000],
  ]);
  const [representation] = (await read(text)).presentation.representations;
  assert.deepEqual(representation?.init, { url: URL_OF('low/all.mp4'), bytes: [0, 99] });
});

test('reads the segments of a single file from its index', async () => {
  const base =
    '<BaseURL>all.mp4</BaseURL><SegmentBase indexRange="100-155"><Initialization range="0-99"/></SegmentBase>';
  const index = segmentIndex(
    [
      [500, 6000],
      [300, 4000],
    ],
    { firstOffset: 10 },
  );
  const text = mpd(picture(base));
  assert.deepEqual(await segmentsOf(text, index), [
    ['all.mp4', [166, 665], 0, 6000],
    ['all.mp4', [666, 965], 6000, 4000],
  ]);
  await assert.rejects(
    read(text, Buffer.from('cues')),
    /Representation low: the index .* ffmpeg -i/,
  );
});

test('orders picture quality levels first, from the lowest rate on, and omits what is neither picture nor sound', async () => {
  const template = '<SegmentTemplate duration="10" media="$RepresentationID$.webm"/>';
  const sets = `<AdaptationSet contentType="audio" mimeType="audio/webm">${template}<Representation id="sound" bandwidth="64000" codecs="opus"/></AdaptationSet>
<AdaptationSet mimeType="video/webm" codecs="vp9">${template}<Representation id="high" bandwidth="2500000" width="1280" height="720"/><Representation id="low" bandwidth="150000" width="256" height="144"/></AdaptationSet>
<AdaptationSet mimeType="text/vtt"><Representation id="words" bandwidth="100"><BaseURL>en.vtt</BaseURL></Representation></AdaptationSet>`;
  const { presentation, notes } = await read(mpd(sets));
  assert.equal(presentation.durationMs, 10_000);
  assertEach(
    presentation.representations,
    ({ segments, ...representation }) => [representation, segments[0]?.url],
    [
      [
        {
          id: 'low',
          kind: 'video',
          kbps: 150,
          codecs: 'vp9',
          mime: 'video/webm',
          width: 256,
          height: 144,
          init: null,
        },
        URL_OF('low.webm'),
      ],
      [
        {
          id: 'high',
          kind: 'video',
          kbps: 2500,
          codecs: 'vp9',
          mime: 'video/webm',
          width: 1280,
          height: 720,
          init: null,
        },
        URL_OF('high.webm'),
      ],
      [
        {
          id: 'sound',
          kind: 'audio',
          kbps: 64,
          codecs: 'opus',
          mime: 'audio/webm',
          width: null,
          height: null,
          init: null,
        },
        URL_OF('sound.webm'),
      ],
    ],
  );
  assert.deepEqual(notes, ['words excluded: it is text/vtt, neither video nor audio']);
});

const protectedSet = picture(`<ContentProtection schemeIdUri="urn:x"/>${NUMBERED}`);
const manySegments = '<SegmentTemplate timescale="1000000000" duration="1" media="$Number$"/>';
const endlessTimeline =
  '<SegmentTemplate media="$Time$"><SegmentTimeline><S t="0" d="0" r="-1"/></SegmentTimeline></SegmentTemplate>';
const wholeFile = '<BaseURL>all.webm</BaseURL>';
const timelineOf = (entries: string) =>
  `<SegmentTemplate media="$Time$"><SegmentTimeline>${entries}</SegmentTimeline></SegmentTemplate>`;
const withoutDuration = (sets: string) =>
  mpd(sets).replace('mediaPresentationDuration="PT10S"', '');
const numberedBy = (attributes: string) =>
  mpd(picture(`<SegmentTemplate duration="5" media="$Number$" ${attributes}/>`));

for (const [what, text, message] of [
  ['an empty file', '', /is empty/],
  ['what is no XML', 'hello', /is not a DASH manifest: it begins with nothing/],
  ['a page', '<html></html>', /is not a DASH manifest: it begins with html/],
  ['XML that is cut off', mpd(picture(NUMBERED)).slice(0, 300), /damaged XML/],
  ['a live video', mpd(picture(NUMBERED), { attributes: 'type="dynamic"' }), /is live/],
  ['several periods', mpd(picture(NUMBERED), { period: '</Period><Period>' }), /2 periods/],
  ['no period', '<MPD></MPD>', /0 periods/],
  ['an encrypted video', mpd(protectedSet), /is encrypted/],
  ['a manifest in parts', mpd(picture(NUMBERED, 'xlink:href="x"')), /elsewhere \(xlink:href\)/],
  [
    'sound alone',
    mpd(picture(NUMBERED).replace('video/webm', 'audio/webm')),
    /no Representation with video/,
  ],
  [
    'a representation without a rate',
    mpd(picture(NUMBERED).replace('bandwidth=', 'x=')),
    /no bandwidth/,
  ],
  ['a representation without codecs', mpd(picture(NUMBERED).replace('codecs=', 'x=')), /no codecs/],
  [
    'a type that no header can have',
    mpd(picture(NUMBERED).replace('video/webm', 'video/w\u00e9bm')),
    /the mimeType video\/w\?bm, expected a media type such as video\/mp4/,
  ],
  [
    'two representations with one id',
    mpd(picture(NUMBERED) + picture(NUMBERED)),
    /two Representations have the id low/,
  ],
  ['an absurd number of segments', mpd(picture(manySegments)), /10,000,000,000 segments/],
  ['segments of no length', mpd(picture(endlessTimeline)), /Representation low has no duration/],
  [
    'a timeline to an end that is nowhere',
    withoutDuration(picture(timelineOf('<S t="0" d="5" r="-1"/>'))),
    /Representation low has no duration/,
  ],
  [
    'a timeline to a far beginning of the next',
    mpd(picture(timelineOf('<S t="0" d="1" r="-1"/><S t="9000000000" d="1"/>'))),
    /9,000,000,001 segments/,
  ],
  ['a last number of anything', numberedBy('endNumber="4000000000"'), /4,000,000,000 segments/],
  ['an invalid number', numberedBy('startNumber="a"'), /startNumber is NaN, expected a whole/],
  [
    'a number that cannot count on',
    numberedBy('startNumber="9007199254740992"'),
    /a whole number below/,
  ],
  [
    'numbers of millions of digits',
    mpd(picture('<SegmentTemplate duration="5" media="$Number%099999999d$"/>')),
    /%099999999d formats numbers with more than 20 digits/,
  ],
  ['a file without a list of segments', mpd(picture(wholeFile)), /no list of segments.*ffmpeg -i/],
  ['a folder above', mpd(picture(`<BaseURL>../</BaseURL>${NUMBERED}`)), /leads out of/],
  [
    'a folder above, escaped',
    mpd(picture(NUMBERED.replace('media="', 'media="a%2F%2e%2E%2f'))),
    /leads out of/,
  ],
] as const) {
  test(`rejects ${what} with the remedy`, async () => {
    await assert.rejects(read(text), (error) => {
      assert.ok(error instanceof ImportError, `${error}`);
      assert.match(error.message, message);
      assert.match(error.message, /^manifest\.mpd.*\. \S.*[^.]\.?$/s);
      return true;
    });
  });
}

const manifestFile = (name: string) =>
  readFile(path.join(import.meta.dirname, name)).then((bytes) => bytes.toString());

test('does not count pictures for trick mode as a quality level', async () => {
  const { presentation, notes } = await read(await manifestFile('trick-mode.mpd'));
  assertEach(presentation.representations, ({ id }) => id, ['0', '1', '2']);
  assert.deepEqual(notes, ['trick excluded: it is for trick mode (fast forward)']);
  const property = (name: string) =>
    `<${name} schemeIdUri="http://dashif.org/guidelines/trickmode" value="0"/>`;
  const representation = (id: string, inside = '') =>
    `<Representation id="${id}" bandwidth="150000" codecs="vp9">${inside}${NUMBERED}</Representation>`;
  const sets = `<AdaptationSet mimeType="video/webm">${representation('a')}${representation('b', property('SupplementalProperty'))}</AdaptationSet>
<AdaptationSet mimeType="video/webm">${property('SupplementalProperty')}${representation('c')}${representation('d')}</AdaptationSet>
<AdaptationSet mimeType="video/webm"><EssentialProperty schemeIdUri="urn:mpeg:mpegB:cicp:TransferCharacteristics" value="1"/>${representation('e')}</AdaptationSet>`;
  const several = await read(mpd(sets));
  assert.deepEqual(several.presentation.representations.map(({ id }) => id).sort(), ['a', 'e']);
  assert.equal(several.notes.length, 3);
});

test('rejects elements with a prefix, since players do not read them', async () => {
  const text = await manifestFile('prefix.mpd');
  await assert.rejects(read(text), /with a prefix \(mpd:MPD\)/);
  const inside = text
    .replaceAll('mpd:', '')
    .replace('<Period', '<d:Period')
    .replace('</Period', '</d:Period')
    .replace(/xmlns(:mpd)?="([^"]+)"/, 'xmlns="$2" xmlns:d="$2"');
  await assert.rejects(read(inside), /with a prefix \(d:Period\)/);
});

test('recognizes UTF-16 without a byte order mark', async () => {
  const text = Buffer.from(await manifestFile('trick-mode.mpd'), 'utf16le').toString('utf8');
  await assert.rejects(read(text), /like UTF-16 without a byte order mark/);
});

import { NETWORK_OPTIONS, rttHelp } from '../../ground/options/network.ts';
import { eachOnce, names, number, oneOf } from '../../ground/options/readers.ts';
import {
  type KnownNames,
  optionGroup,
  ownChoiceLines,
  type Reader,
  reportLine,
} from '../../ground/options/row.ts';
import { BOUNDS } from '../../ground/records/ranges.ts';
import { UsageError } from '../../ground/system/exit-status.ts';
import { PLAYERS, playerLabel } from './players/index.ts';
import { VIDEO_CHOICES } from './records.ts';

/** The video that is made here. */
export const TEST_PATTERN = 'test-pattern';

/** What a video is played over where nothing is said of the network: a link that is not faster than every rung. */
export const NETWORK_OF_VIDEOS = 'dsl';

/** What is added to the delay of a link that is described without one. */
export const RTT_OF_VIDEOS_MS = [30];

const WORDS = PLAYERS.map(({ word }) => word).join(', ');

/** Players with commas between, as values of the factor. */
const players: Reader<string[]> = eachOnce((option, given) =>
  names(option, given).map((word) => {
    const found = PLAYERS.find((each) => [each.name, each.word].includes(word));
    if (found) return found.name;
    throw new UsageError(`--${option} ${word}: expected some of ${WORDS}.`);
  }),
);

/** What only videos have. */
export const VIDEO_OPTIONS = optionGroup('What is watched', 'plan', {
  videos: {
    argument: 'a,b',
    help: `names of videos: ${TEST_PATTERN} (60 s in 4 rungs, made by ffmpeg on first use), or those that npm run import made of a manifest of DASH`,
    read: names,
    byDefault: [TEST_PATTERN],
    said: reportLine('Videos', ({ subjects }) => subjects.map(({ subject }) => subject).join(', ')),
  },
  player: {
    argument: 'a,b',
    help: `what plays, a condition for each value: ${WORDS}`,
    read: players,
    byDefault: [PLAYERS[0].name],
    defaultText: PLAYERS[0].word,
    said: ({ factors }) =>
      factors.player ? [['Players', factors.player.map(playerLabel).join(', ')]] : [],
  },
  duration: {
    argument: 'S',
    help: 'how long a video is watched, in seconds of real time, 2 to 600, or to its end if that is earlier; 60 or more shows how players adapt',
    read: number(BOUNDS.watchedS),
    byDefault: 20,
    said: ownChoiceLines(VIDEO_CHOICES, ({ watchedMs }) => [
      ['Watched for', `${watchedMs / 1000} s`],
    ]),
  },
  buffer: {
    argument: 'S',
    help: 'how much the player buffers ahead, in seconds, 1 to 120 (default: what it does by itself)',
    read: number(BOUNDS.bufferS),
    said: ownChoiceLines(VIDEO_CHOICES, ({ bufferMs }) =>
      bufferMs === null ? [] : [['Buffered ahead', `${bufferMs / 1000} s`]],
    ),
  },
  abr: {
    argument: 'on|off',
    help: 'whether the player adapts its bitrate to the network',
    read: oneOf('on', 'off'),
    byDefault: 'on',
    said: ownChoiceLines(VIDEO_CHOICES, ({ adapts }) => [['Bitrate', adapts ? 'adapts' : 'fixed']]),
  },
  bitrate: {
    argument: 'kbit/s',
    help: 'the highest rung not above this rate: played with --abr off (default the lowest), begun with otherwise (default: what the player begins with)',
    read: number(BOUNDS.bitrateKbps),
    said: ownChoiceLines(VIDEO_CHOICES, ({ bitrateKbps }) =>
      bitrateKbps === null ? [] : [['Rung', `the highest not above ${bitrateKbps} kbit/s`]],
    ),
  },
});

/** The same with those of all that it has otherwise: videos take their time, and adapt to links that are limited. */
export const OPTIONS_OF_VIDEOS = {
  ...VIDEO_OPTIONS,
  rtt: { ...NETWORK_OPTIONS.rtt, help: rttHelp(RTT_OF_VIDEOS_MS) },
  network: {
    ...NETWORK_OPTIONS.network,
    help: ({ networks }: KnownNames) =>
      `named conditions: ${networks.join(', ')} (default ${NETWORK_OF_VIDEOS}, where nothing is said of the network)`,
  },
};

import * as s from '../../../ground/records/schema.ts';

/** Limits of a film, which keep a report with many of them small. */
export const FILM_LIMITS = {
  frames: 12,
  widthPx: 240,
  /** A long page on a phone is higher than wide. */
  heightPx: 600,
  /** Of all JPEGs of a film together. */
  jpegBytes: 45_000,
} as const;

const { frames, widthPx, heightPx, jpegBytes } = FILM_LIMITS;

const jpegSchema = {
  ...s.text('A JPEG as Base64.'),
  pattern: '^/9j/[A-Za-z0-9+/]+={0,2}$',
  maxLength: 2 * jpegBytes,
};

/** A file of the folder films. */
export const filmSchema = s.object(
  {
    widthPx: s.count('Width of all frames.', { minimum: 1, maximum: widthPx }),
    heightPx: s.count('Height of all frames.', { minimum: 1, maximum: heightPx }),
    speedIndexMs: s.number('Mean time at which a part of the first screen became visible.'),
    visuallyCompleteMs: s.number('Time of the last visual change.'),
    largestPaintMs: s.orNull(s.number('Largest contentful paint; null: none.')),
    loadMs: s.orNull(s.number('End of the load event; null: not reached.')),
    frames: {
      ...s.list(
        s.object(
          {
            atMs: s.number('When it appeared.'),
            completePercent: s.percent('Visual completeness.'),
            jpeg: jpegSchema,
          },
          'A frame that differs from the one before.',
        ),
        'At most 12, in order; similar ones are skipped. The first one is the blank page.',
      ),
      minItems: 1,
      maxItems: frames,
    },
  },
  'Film of a load. Times are in ms from the start of the navigation.',
);

export type Film = s.Static<typeof filmSchema>;

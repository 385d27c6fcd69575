/** A duration for tables: one decimal, thousands set apart by commas, a dash for a number that does not exist. */
export function millisecondsText(value: number | null | undefined): string {
  if (value === null || value === undefined) return '–';
  const [whole = '', decimals] = value.toFixed(1).split('.');
  return `${groupThousands(whole)}.${decimals}`;
}

/** A duration in s for people: `1.68`, `0.36`. */
export function secondsText(valueMs: number): string {
  return (valueMs / 1000).toFixed(2);
}

/** A count with thousands set apart by commas. */
export function countText(value: number): string {
  return groupThousands(String(value));
}

/** A number with a maximum of decimals and no trailing zeros: `30`, `0.5`, `1,234.57`. */
export function decimalText(value: number, decimals = 2): string {
  const [whole = '', rest] = String(Number(value.toFixed(decimals))).split('.');
  return rest === undefined ? groupThousands(whole) : `${groupThousands(whole)}.${rest}`;
}

/** A count with its noun in singular or plural: `1 site`, `2 sites`. */
export function countWithNoun(value: number, noun: string, plural = `${noun}s`): string {
  return `${countText(value)} ${value === 1 ? noun : plural}`;
}

/** A size in the unit of 1,000 that suits it: `980 B`, `12.3 kB`, `4.5 MB`. */
export function bytesText(value: number): string {
  if (value < 1000) return `${value} B`;
  if (value < 999_950) return `${(value / 1000).toFixed(1)} kB`;
  return `${(value / 1_000_000).toFixed(1)} MB`;
}

/** A short size for ticks and chosen sizes: `12 kB`. */
export function sizeText(value: number): string {
  return bytesText(value).replace('.0 ', ' ');
}

/** A rate in a suitable decimal unit, with three significant digits: `980 kbit/s`, `9.52 Mbit/s`, `1.20 Gbit/s`. */
export function rateText(kbps: number): string {
  // Values that round to 1,000 use the next unit.
  if (kbps >= 999_500) return `${threeDigits(kbps / 1_000_000)} Gbit/s`;
  return kbps >= 999.5 ? `${threeDigits(kbps / 1000)} Mbit/s` : `${threeDigits(kbps)} kbit/s`;
}

/** A number from 0 with three significant digits: `0.25`, `9.52`, `95.2`, `1,235`. */
export function threeDigits(value: number): string {
  return value < 99.95 ? value.toFixed(value < 9.995 ? 2 : 1) : countText(Math.round(value));
}

/** Range of counts: `5`, or `4 to 5`. */
export function rangeText(values: readonly number[]): string {
  const least = Math.min(...values);
  const most = Math.max(...values);
  return least === most ? countText(least) : `${countText(least)} to ${countText(most)}`;
}

function groupThousands(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',');
}

/** A time of a record (ISO 8601, UTC) for readers, to the minute; other text stays unchanged. */
export function momentText(moment: string): string {
  const [, day, time] = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})[\d:.]*Z$/.exec(moment) ?? [];
  return day && time ? `${day} ${time} UTC` : moment;
}

import { createHash } from 'node:crypto';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Alphabet of random text: needs no escapes in HTML comments, nor in strings of JavaScript, CSS and JSON. */
const TEXT_CHARACTERS =
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$%()*+,./:;=?@[]^_{|}~';
const TEXT_CODES = Buffer.from(TEXT_CHARACTERS, 'latin1');

/** A reproducible stream of random bytes for a seed, on every machine. */
export interface RandomSource {
  bytes(length: number): Buffer;
  /** Random characters, about 6.4 bits each. */
  text(length: number): string;
}

/** The generator's only source of randomness. The seed names the object, for example `www.iana.org/12`. */
export function randomSource(seed: string): RandomSource {
  const generator = xoroshiro128plus(createHash('sha256').update(seed).digest().readInt32LE(0));
  const bytes = (length: number) => {
    const words = Buffer.alloc(Math.ceil(length / 4) * 4);
    for (let at = 0; at < length; at += 4) words.writeInt32LE(generator.next(), at);
    return words.subarray(0, length);
  };
  const text = (length: number) => {
    const codes = bytes(length);
    for (let at = 0; at < length; at++) {
      codes[at] = TEXT_CODES[(codes[at] as number) % TEXT_CODES.length] as number;
    }
    return codes.toString('latin1');
  };
  return { bytes, text };
}

const SYLLABLES =
  'ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu al en or is um'.split(' ');

/** Meaningless text of exactly this length. */
export function words(characters: number, random: RandomSource): string {
  const choices = random.bytes(characters);
  let text = '';
  for (let at = 0; text.length < characters; at++) {
    const choice = choices[at] as number;
    text += `${SYLLABLES[choice % SYLLABLES.length]}${choice > 150 ? ' ' : ''}`;
  }
  return `${text.slice(0, characters - 1)}.`;
}

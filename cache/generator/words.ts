import type { RandomSource } from './random.ts';

const SYLLABLES =
  'ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu al en or is um'.split(' ');

/** Text without meaning, of exactly this many characters. */
export function words(characters: number, random: RandomSource): string {
  const choices = random.bytes(characters);
  let text = '';
  for (let at = 0; text.length < characters; at++) {
    const choice = choices[at] as number;
    text += `${SYLLABLES[choice % SYLLABLES.length]}${choice > 150 ? ' ' : ''}`;
  }
  return `${text.slice(0, characters - 1)}.`;
}

/**
 * An address in so many characters at most: the middle is left out, because the host is in front and the file's name at the
 * end. Without characters that steer the direction of text.
 */
export function shortAddress(address: string, mostCharacters: number): string {
  const kept = [...address.replace(/[\p{Cc}\p{Cf}]/gu, '').toWellFormed()];
  if (kept.length <= mostCharacters) return kept.join('');
  const end = Math.ceil((mostCharacters - 1) * 0.6);
  return `${kept.slice(0, mostCharacters - 1 - end).join('')}…${kept.slice(-end).join('')}`;
}

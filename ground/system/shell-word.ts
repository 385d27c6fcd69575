/** A word as one would type it in a shell; on any line it can be pasted as it is, and is one argument. */
export function shellWord(word: string): string {
  // Of zsh `=name` is the path of a program.
  if (/^(?!=)[\w@%+=:,./-]+$/.test(word)) return word;
  return INVISIBLE.test(word) ? `$'${escaped(word)}'` : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A command as one would type it. */
export function shellLine(words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}

/** A terminal takes some for keys that are pressed, and shows others elsewhere or not at all. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** A word between `$'` and `'`: what is not seen as the bytes of UTF-8, which any locale reads alike. */
function escaped(word: string): string {
  return [...word]
    .map((character) => {
      if (character === "'" || character === '\\') return `\\${character}`;
      // Old shells look for commands of their history in there.
      if (character !== '!' && !INVISIBLE.test(character)) return character;
      return [...Buffer.from(character === '\0' ? '\ufffd' : character)]
        .map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`)
        .join('');
    })
    .join('');
}

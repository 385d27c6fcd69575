/** Quotes a word as one shell argument that can be pasted. */
export function shellWord(word: string): string {
  // In zsh `=name` is the path of a program.
  if (/^(?!=)[\w@%+=:,./-]+$/.test(word)) return word;
  return INVISIBLE.test(word) ? `$'${escaped(word)}'` : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Quotes a command for a shell. */
export function shellLine(words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}

/** Characters that terminals interpret as keys, move or hide. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** Content of `$'...'`: invisible characters become UTF-8 bytes, which are independent of the locale. */
function escaped(word: string): string {
  return [...word]
    .map((character) => {
      if (character === "'" || character === '\\') return `\\${character}`;
      // Old shells expand `!` as history.
      if (character !== '!' && !INVISIBLE.test(character)) return character;
      return [...Buffer.from(character === '\0' ? '\ufffd' : character)]
        .map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`)
        .join('');
    })
    .join('');
}

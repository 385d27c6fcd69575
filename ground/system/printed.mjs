// Plain JavaScript, because set-up prints before it installs a runtime for TypeScript.
// Commands print only through this module: names and messages come from untrusted pages, programs and files.

/**
 * Text for one line of a terminal or log. It cannot control the terminal, begin a line, or command the service that runs
 * a workflow (`::error::`, `##[group]`, `##vso[...]`).
 * @param {string} text
 */
export function printable(text) {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '?')
    .replace(/^(\s*):(?=:[\w-]+.*::)/, '$1?')
    .replace(/#(?=#\w*\[)/g, '?');
}

/**
 * As printable(), for texts whose line feeds are this program's own.
 * @param {string} text
 */
export function printableLines(text) {
  return text.split('\n').map(printable).join('\n');
}

/**
 * Indents all lines of an error message but the first, so that text quoted in it cannot look like another message.
 * @param {string} message
 */
export function indented(message) {
  return message.trimEnd().replace(/\n(?=[^\n])/g, '\n  ');
}

/**
 * An object as one line of JSON, for programs; characters that control a terminal are escaped.
 * @param {unknown} value
 */
export function jsonLine(value) {
  return JSON.stringify(value).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|#(?=#\w*\[)/gu, (character) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/**
 * Prints results of the command on stdout.
 * @param {string} text
 */
export function print(text) {
  console.log(printableLines(text));
}

/**
 * Prints progress and problems on stderr.
 * @param {string} text
 */
export function complain(text) {
  console.error(printableLines(text));
}

/**
 * Prints text with colours on stdout; apart from these it must be printable() already.
 * @param {string} text
 */
export function printStyled(text) {
  console.log(text);
}

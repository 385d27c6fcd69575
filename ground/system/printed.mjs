// Plain JavaScript, because set-up prints before it installs a runtime for TypeScript.
// Commands print only through this module: names and messages come from untrusted pages, programs and files.

/**
 * A text for one line of a terminal or a log: nothing in it steers the terminal, begins a line, or is a command to the
 * service that runs a workflow (`::error::`, `##[group]`, `##vso[...]`).
 * @param {string} text
 */
export function printable(text) {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '?')
    .replace(/^(\s*):(?=:[\w-]+.*::)/, '$1?')
    .replace(/#(?=#\w*\[)/g, '?');
}

/**
 * The same for a text whose line feeds are this program's own.
 * @param {string} text
 */
export function printableLines(text) {
  return text.split('\n').map(printable).join('\n');
}

/**
 * The message of an error, whose first line alone begins at the left: a line feed in what it quotes cannot begin a message
 * of its own.
 * @param {string} message
 */
export function indented(message) {
  return message.trimEnd().replace(/\n(?=[^\n])/g, '\n  ');
}

/**
 * An object as one line of JSON, for programs, with escapes for what would steer a terminal.
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
 * Says something on stdout: what the command is for.
 * @param {string} text
 */
export function print(text) {
  console.log(printableLines(text));
}

/**
 * Says something on stderr: how it goes, and what is wrong.
 * @param {string} text
 */
export function complain(text) {
  console.error(printableLines(text));
}

/**
 * Says something with colours on stdout, in which all else is printable() already.
 * @param {string} text
 */
export function printStyled(text) {
  console.log(text);
}

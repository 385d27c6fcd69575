/**
 * How many values somebody's JSON has, without making them: an object of nothing takes 2 bytes in a file and dozens in
 * memory, so that a file within its limit can be more than memory holds. Keys count as well. Stops where it is clear that there
 * are more than `max`.
 */
export function countJsonValues(json: Buffer, max: number): number {
  let values = 0;
  for (let at = 0; at < json.length && values <= max; at++) {
    const byte = json[at];
    if (byte === QUOTE) at = endOfString(json, at);
    else if (byte === COMMA || byte === COLON || byte === BRACE || byte === BRACKET) values += 1;
  }
  return values;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const BRACE = 0x7b;

/** Place of the closing quote; the end of the file where there is none. */
function endOfString(json: Buffer, start: number): number {
  for (let end = json.indexOf(QUOTE, start + 1); end !== -1; end = json.indexOf(QUOTE, end + 1)) {
    let escapes = 0;
    while (json[end - 1 - escapes] === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return json.length;
}

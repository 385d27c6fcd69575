/** Header lines by name: a server may join those of one name in one line, except for set-cookie. */
export function joinedLines(
  lines: readonly (readonly [name: string, value: string])[],
): Record<string, string> {
  const joined: Record<string, string> = Object.create(null);
  for (const [name, value] of lines) {
    const before = joined[name];
    const separator = name === 'set-cookie' ? '\n' : ', ';
    joined[name] = before === undefined ? value : `${before}${separator}${value}`;
  }
  return { ...joined };
}

/** A command as a shell would take it apart, if no word had a space in it. */
export function words(command: string): string[] {
  return command.split(' ');
}

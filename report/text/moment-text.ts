/** A moment of a record (ISO 8601, UTC) for people, to the minute; what is no such moment stays as it is. */
export function momentText(moment: string): string {
  const [, day, time] = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})[\d:.]*Z$/.exec(moment) ?? [];
  return day && time ? `${day} ${time} UTC` : moment;
}

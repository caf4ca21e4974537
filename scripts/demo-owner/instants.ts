/** The form of an instant: `3 days ago 17:55`, or `11-05 19:30` for that date. */
const written =
  /^(?:(?<days>\d+) days? ago|(?<month>\d\d)-(?<day>\d\d)) (?<hours>\d\d):(?<minutes>\d\d)$/;

/** All notes of day 0 are earlier than this hour. */
const yearEndsAtHour = 9;

/** Returns the last nine o'clock in this machine's time zone. */
function endOfYear(now: Date): Date {
  const end = new Date(now);
  end.setHours(yearEndsAtHour, 0, 0, 0);
  if (end > now) end.setDate(end.getDate() - 1);
  return end;
}

/**
 * Resolves the instants of the demo owner's year.
 *
 * - The year ends at nine o'clock, so that the notes of day 0, which are earlier, are never in the future.
 * - A date means its latest occurrence in the year, so that a note about snow stays in winter.
 * @returns a function that throws for an invalid instant.
 */
export function createInstants(now: Date): (when: string) => Date {
  const end = endOfYear(now);
  return (when) => {
    const { days, month, day, hours, minutes } = written.exec(when)?.groups ?? {};
    const instant = new Date(end);
    instant.setHours(Number(hours), Number(minutes), 0, 0);
    if (days !== undefined) instant.setDate(instant.getDate() - Number(days));
    else instant.setMonth(Number(month) - 1, Number(day));
    if (instant > end) instant.setFullYear(instant.getFullYear() - 1);
    if (Number.isNaN(instant.getTime())) throw new Error(`not an instant: ${when}`);
    return instant;
  };
}

const DAY_MS = 86_400_000;

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const DAY = `(?:(${MONTHS.join('|')}) (\\d{1,2})(?:st|nd|rd|th), (\\d{4}) )?`;
const AT = new RegExp(`\\btry again at ${DAY}(\\d{1,2}):([0-5]\\d) (AM|PM)\\b`);

/**
 * When a usage limit ends, in epoch milliseconds: from `try again at Sep 21st, 2026 2:13 PM`, or without the day the next
 * such time after `nowMs`. In UTC, which is the zone that the program is started in. Undefined when the text does not say.
 */
export function resetTime(text: string, nowMs: number): number | undefined {
  const [, month, day, year, hour, minute, half] = AT.exec(text) ?? [];
  if (hour === undefined) return undefined;
  const hours = (Number(hour) % 12) + (half === 'PM' ? 12 : 0);
  const time = (hours * 60 + Number(minute)) * 60_000;
  if (month !== undefined) return Date.UTC(Number(year), MONTHS.indexOf(month), Number(day)) + time;
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS + time;
  return today > nowMs ? today : today + DAY_MS;
}

const MINUTE_MS = 60_000;

const EPOCH = /\|(\d{10}|\d{13})\s*$/;
const DATE = /\bregain access on (\d{4}-\d{2}-\d{2}) at (\d{2}:\d{2}) UTC\b/;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const DAY = `(?:(${MONTHS.join('|')}) (\\d{1,2}),? (?:at )?)?`;
const TIME = '(\\d{1,2})(?::([0-5]\\d))? ?(am|pm)';
const CLOCK = new RegExp(`\\bresets (?:at )?${DAY}${TIME} \\(([\\w+/-]{1,64})\\)`);

/**
 * When a limit ends, in epoch milliseconds: from `…|1790000000` or `regain access on 2026-12-01 at 00:00 UTC` as told;
 * from `resets 3pm (Europe/Lisbon)` or `resets Dec 3, 9:30am (UTC)` the next such moment after `nowMs`. Undefined when
 * the text does not say, or names no known zone.
 */
export const resetTime = (text: string, nowMs: number): number | undefined =>
  epochTime(text) ?? dateTime(text) ?? clockTime(text, nowMs);

function epochTime(text: string): number | undefined {
  const digits = EPOCH.exec(text)?.[1];
  return digits ? Number(digits) * (digits.length === 10 ? 1000 : 1) : undefined;
}

function dateTime(text: string): number | undefined {
  const [, date, time] = DATE.exec(text) ?? [];
  const at = Date.parse(`${date}T${time}Z`);
  return Number.isNaN(at) ? undefined : at;
}

function clockTime(text: string, nowMs: number): number | undefined {
  const [, month, day, hour, minute = '0', half, zone = ''] = CLOCK.exec(text) ?? [];
  const ahead = hour === undefined ? undefined : zoneOffset(zone, nowMs);
  if (ahead === undefined) return undefined;
  const today = new Date(nowMs + ahead);
  const minutes = ((Number(hour) % 12) + (half === 'pm' ? 12 : 0)) * 60 + Number(minute);
  const moment = (step: number): number => {
    const date = month
      ? Date.UTC(today.getUTCFullYear() + step, MONTHS.indexOf(month), Number(day))
      : Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate() + step);
    const local = date + minutes * MINUTE_MS;
    // The offset of that moment, not of now: a clock change may lie between.
    return local - (zoneOffset(zone, local - ahead) ?? ahead);
  };
  return [moment(0), moment(1)].find((at) => at > nowMs);
}

/** How far a zone's clock is ahead of UTC, in milliseconds; undefined for an unknown zone or a moment out of range. */
function zoneOffset(timeZone: string, at: number): number | undefined {
  try {
    const parts = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    }).formatToParts(at);
    const part = (type: string): number =>
      Number(parts.find((one) => one.type === type)?.value ?? Number.NaN);
    const day = Date.UTC(
      part('year'),
      part('month') - 1,
      part('day'),
      part('hour'),
      part('minute'),
    );
    return day - Math.floor(at / MINUTE_MS) * MINUTE_MS;
  } catch {
    return undefined;
  }
}

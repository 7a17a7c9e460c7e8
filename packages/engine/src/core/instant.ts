const ISO_8601 =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?([Zz]|[+-]\d{2}(?::?\d{2})?)?)?$/;

/**
 * An ISO 8601 date or date-time as fixed-width UTC text with nine fraction digits, so that text order
 * is time order in memory and in SQL alike. No zone means UTC. `undefined` when it is anything else.
 */
export function canonicalInstant(text: string): string | undefined {
  const match = ISO_8601.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] =
    match;
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const utc = Date.parse(`${local}Z`);
  // Date.parse rolls 31 April over to May; the round trip catches that.
  if (Number.isNaN(utc) || new Date(utc).toISOString().slice(0, 19) !== local) return undefined;
  const offset = zoneMinutes(zone);
  if (offset === undefined) return undefined;
  const nanoseconds = fraction.padEnd(9, '0');
  if (offset === 0) return `${local}.${nanoseconds}Z`;
  const instant = new Date(utc - offset * 60_000);
  const shifted = instant.getUTCFullYear();
  if (shifted < 0 || shifted > 9999) return undefined;
  return `${instant.toISOString().slice(0, 19)}.${nanoseconds}Z`;
}

function zoneMinutes(zone: string): number | undefined {
  if (zone === 'Z' || zone === 'z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', '') || '0');
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

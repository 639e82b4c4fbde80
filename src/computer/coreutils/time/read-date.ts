import { type Zone, zoneOf } from '#computer/local-time/zone.ts';

const UNITS: Record<string, number> = { sec: 1, second: 1, min: 60, minute: 60, hour: 3600 };
const DAY_UNITS: Record<string, number> = { day: 1, week: 7, fortnight: 14 };
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH = '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?';
const WEEKDAY = '(sun|mon|tue|wed|thu|fri|sat)(?:day|s|sday|nes|nesday|r|rs|rsday|urday)?';
const ORDINALS: Record<string, number> = { last: -1, this: 0, next: 1, first: 1, third: 3, fourth: 4, fifth: 5 };
const RELATIVE_DAYS: Record<string, number> = { now: 0, today: 0, tomorrow: 1, yesterday: -1 };
/** Hours east of Greenwich for common zone names. */
const ZONES: Record<string, number> = {
	z: 0,
	utc: 0,
	gmt: 0,
	ut: 0,
	est: -5,
	edt: -4,
	cst: -6,
	cdt: -5,
	mst: -7,
	mdt: -6,
	pst: -8,
	pdt: -7,
	cet: 1,
	cest: 2,
	bst: 1,
	jst: 9
};

interface Found {
	year?: number;
	/** 0 to 11. */
	month?: number;
	day?: number;
	/** Seconds since midnight, with fractions. */
	time?: number;
	/** Minutes east of Greenwich. */
	zone?: number;
	weekday?: { day: number; ordinal: number };
	months: number;
	days: number;
	seconds: number;
	relative: boolean;
}

/**
 * Parses the dates of `date -d` and `touch -d`: ISO dates, `5 Mar 2024 10:00 +0100`, `@1700000000`, `next friday`,
 * `2024-01-31 + 2 weeks`, `yesterday 10:00`, each optionally after `TZ="Asia/Tokyo"`.
 *
 * @returns ms since 1970, or null for an invalid date
 */
export function readDate(text: string, nowMs: number, zone: Zone): number | null {
	const [prefix, name] = /^\s*TZ="((?:[^"\\]|\\["\\])*)"/.exec(text) ?? [];
	if (prefix !== undefined && name !== undefined)
		return readDate(text.slice(prefix.length), nowMs, zoneOf(name.replace(/\\(.)/g, '$1')));
	const seconds = /^\s*@(-?\d+(?:\.\d+)?)\s*$/.exec(text)?.[1];
	if (seconds !== undefined) return Number(seconds) * 1000;
	const found: Found = { months: 0, days: 0, seconds: 0, relative: false };
	let rest = text.toLowerCase().replace(/\([^)]*\)/g, ' ');
	while ((rest = rest.replace(/^(?:[\s,]|and\b)+/, '')) !== '') {
		const length =
			takeDate(rest, found) || takeRelative(rest, found) || takeTime(rest, found) || takeNumber(rest, found);
		if (length === 0) return null;
		rest = rest.slice(length);
	}
	return timeOf(found, nowMs, zone);
}

function timeOf(found: Found, nowMs: number, zone: Zone): number | null {
	const offsetAt = (ms: number) => (found.zone ?? zone.offset(ms)) * 60_000;
	const now = new Date(nowMs + offsetAt(nowMs));
	const { month = now.getUTCMonth(), day = now.getUTCDate(), year = now.getUTCFullYear(), weekday } = found;
	const hasDate = found.day !== undefined || weekday !== undefined;
	const given = new Date(Date.UTC(year, month, day));
	if (year < 100) given.setUTCFullYear(year);
	if (given.getUTCMonth() !== month || given.getUTCDate() !== day) return null;
	const isNow = found.time === undefined && found.relative && !hasDate;
	const time = found.time ?? (isNow ? (nowMs + offsetAt(nowMs) - Date.UTC(year, month, day)) / 1000 : 0);
	given.setUTCMonth(month + found.months, day + found.days);
	if (weekday && found.day === undefined) {
		const ahead = (weekday.day - given.getUTCDay() + 7) % 7;
		given.setUTCDate(given.getUTCDate() + ahead + 7 * (weekday.ordinal - (weekday.ordinal > 0 && ahead > 0 ? 1 : 0)));
	}
	const local = given.getTime() + time * 1000;
	// The offset at the resulting time, which can be computed except within an hour of a change.
	const ms = local - offsetAt(local - offsetAt(local));
	// An hour that is skipped when the clocks go forward.
	if (ms + offsetAt(ms) !== local) return null;
	return Number.isFinite(ms) ? ms + found.seconds * 1000 : null;
}

function takeDate(rest: string, found: Found): number {
	const forms: [
		RegExp,
		(match: RegExpExecArray) => [year: string | undefined, month: number, day: string | undefined]
	][] = [
		[/^(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)t?/, ([, year, month, day]) => [year, Number(month) - 1, day]],
		[/^(\d{4})\/(\d{1,2})\/(\d{1,2})(?!\d)/, ([, year, month, day]) => [year, Number(month) - 1, day]],
		[/^(\d{4})(\d{2})(\d{2})(?!\d)t?/, ([, year, month, day]) => [year, Number(month) - 1, day]],
		[/^(\d{1,2})\/(\d{1,2})(?:\/(\d{4}|\d{2}))?(?!\d)/, ([, month, day, year]) => [year, Number(month) - 1, day]],
		[
			new RegExp(`^(\\d{1,2})(?:st|nd|rd|th)?[-\\s]*${MONTH}(?:[-\\s,]*(\\d{4})(?![:\\d]))?`),
			([, day, month = '', year]) => [year, MONTHS.indexOf(month), day]
		],
		[
			new RegExp(`^${MONTH}[-\\s]*(\\d{1,2})(?:st|nd|rd|th)?(?![:\\d])(?:[-\\s,]+(\\d{4})(?![:\\d]))?`),
			([, month = '', day, year]) => [year, MONTHS.indexOf(month), day]
		],
		[new RegExp(`^${MONTH}[-\\s]+(\\d{4})(?![:\\d])`), ([, month = '', year]) => [year, MONTHS.indexOf(month), '1']]
	];
	for (const [form, read] of forms) {
		const match = form.exec(rest);
		if (!match) continue;
		const [year, month, day] = read(match);
		const short = year?.length === 2 ? (Number(year) < 69 ? 2000 : 1900) : 0;
		if (found.day !== undefined || month < 0 || month > 11) return 0;
		Object.assign(found, { month, day: Number(day), ...(year === undefined ? {} : { year: Number(year) + short }) });
		return match[0].length;
	}
	return 0;
}

function takeRelative(rest: string, found: Found): number {
	const word = /^(now|today|tomorrow|yesterday)\b/.exec(rest);
	if (word) {
		found.days += RELATIVE_DAYS[word[1] ?? ''] ?? 0;
		found.relative = true;
		return word[0].length;
	}
	const day = new RegExp(`^(?:(last|this|next|first|third|fourth|fifth)\\s+)?${WEEKDAY}\\b\\.?`).exec(rest);
	if (day) {
		found.weekday = { day: DAYS.indexOf(day[2] ?? ''), ordinal: ORDINALS[day[1] ?? ''] ?? 0 };
		return day[0].length;
	}
	const amount =
		/^(?:([-+]?)\s*(\d+)\s*|(last|this|next|first|third|fourth|fifth)\s+)?(sec|second|min|minute|hour|day|week|fortnight|month|year)s?\b(\s+ago\b)?/.exec(
			rest
		);
	if (!amount) return 0;
	const [whole, sign, digits, ordinal, unit = '', ago] = amount;
	const count = digits !== undefined ? Number(digits) : ordinal !== undefined ? (ORDINALS[ordinal] ?? 1) : 1;
	const signed = (sign === '-' ? -count : count) * (ago === undefined ? 1 : -1);
	if (unit === 'month') found.months += signed;
	else if (unit === 'year') found.months += 12 * signed;
	else if (DAY_UNITS[unit]) found.days += DAY_UNITS[unit] * signed;
	else found.seconds += (UNITS[unit] ?? 0) * signed;
	found.relative = true;
	return whole.length;
}

function takeTime(rest: string, found: Found): number {
	const clock = /^t?(\d{1,2})(?::(\d{1,2})(?::(\d{1,2}(?:[.,]\d+)?))?)?\s*([ap]\.?m\.?\b)?/.exec(rest);
	if (clock && (clock[2] !== undefined || clock[4] !== undefined)) {
		const [whole, hours, minutes = '0', seconds = '0', half] = clock;
		const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half.startsWith('p') ? 12 : 0);
		const isTime =
			hour < 24 && Number(minutes) < 60 && (half === undefined || (Number(hours) > 0 && Number(hours) <= 12));
		if (!isTime || found.time !== undefined) return 0;
		found.time = hour * 3600 + Number(minutes) * 60 + Number(seconds.replace(',', '.'));
		// A signed number after a time is a zone, even if the user meant `+1 day`.
		return whole.length + takeOffset(rest.slice(whole.length), found);
	}
	const name = /^[a-z]+/.exec(rest)?.[0] ?? '';
	if (!Object.hasOwn(ZONES, name)) return 0;
	found.zone = (ZONES[name] ?? 0) * 60;
	return name.length + takeOffset(rest.slice(name.length), found);
}

/** Parses `+0100` after a time or a zone's name. */
function takeOffset(rest: string, found: Found): number {
	const [whole = '', sign, hours, minutes = '0'] = /^\s*([-+])\s*(\d{1,2}):?(\d{2})?(?!\d)/.exec(rest) ?? [];
	if (whole !== '') found.zone = (found.zone ?? 0) + (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
	return whole.length;
}

/** Parses a number by itself: a year after a date, otherwise a time without colons. */
function takeNumber(rest: string, found: Found): number {
	const digits = /^\d{1,4}(?![-/:\w])/.exec(rest)?.[0] ?? '';
	if (digits === '') return 0;
	if (found.day !== undefined && found.year === undefined && digits.length === 4) found.year = Number(digits);
	else if (found.time === undefined && (found.day === undefined || found.year !== undefined)) {
		const [hours, minutes] =
			digits.length < 3 ? [Number(digits), 0] : [Number(digits.slice(0, -2)), Number(digits.slice(-2))];
		if (hours > 23 || minutes > 59) return 0;
		found.time = hours * 3600 + minutes * 60;
	} else return 0;
	return digits.length;
}

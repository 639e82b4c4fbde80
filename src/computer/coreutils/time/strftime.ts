import { zoneText, type Zone } from '#computer/local-time/zone.ts';

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
	'January',
	'February',
	'March',
	'April',
	'May',
	'June',
	'July',
	'August',
	'September',
	'October',
	'November',
	'December'
];
const DAY_MS = 86_400_000;

/** Result of a conversion: text, or a number with its default padding. */
type Value = string | [value: number, width: number, pad?: ' '];

/** Conversions that are short for a format. */
const SHORT: Record<string, string> = {
	c: '%a %b %e %H:%M:%S %Y',
	D: '%m/%d/%y',
	F: '%Y-%m-%d',
	r: '%I:%M:%S %p',
	R: '%H:%M',
	T: '%H:%M:%S',
	x: '%m/%d/%y',
	X: '%H:%M:%S'
};

/**
 * Formats a time in the C locale like GNU's `date`, with flags (`%-d`, `%_H`, `%^a`, `%#Z`) and widths (`%3N`).
 * @param ms since 1970; fractions of a millisecond count for `%N`
 */
export function strftime(format: string, ms: number, zone: Zone): string {
	const conversion = /%([-_0^#+]*)(\d*)[EO]?(:{0,3}z|[A-Za-z%])/g;
	return format.replace(conversion, (whole, flags: string, width: string, letter: string) => {
		const value = convert(letter, ms, zone, width);
		return value === null ? whole : padded(value, flags, Number(width || 0), letter);
	});
}

function padded(value: Value, flags: string, width: number, letter: string): string {
	const pad = [...flags].findLast((flag) => '-_0+'.includes(flag));
	if (typeof value === 'string') {
		const upper = flags.includes('^') ? value.toUpperCase() : value;
		const text = !flags.includes('#') ? upper : 'Zp'.includes(letter) ? value.toLowerCase() : value.toUpperCase();
		return pad === '-' ? text : text.padStart(width, pad === '0' ? '0' : ' ');
	}
	const [number, usual, usualPad = '0'] = value;
	const digits = String(Math.abs(number));
	const sign = number < 0 ? '-' : '';
	if (pad === '-') return sign + digits;
	const room = Math.max(width, usual) - sign.length;
	const fill = pad === '_' ? ' ' : pad === '0' || pad === '+' ? '0' : usualPad;
	return fill === ' ' ? (sign + digits).padStart(room + sign.length) : sign + digits.padStart(room, '0');
}

/** Time in a zone, split for conversions. */
interface Moment {
	ms: number;
	zone: Zone;
	/** Minutes east of Greenwich. */
	offset: number;
	/** Local time, as if it were UTC. */
	date: Date;
	year: number;
	/** Days since the first of January. */
	yearDay: number;
	/** From 0 (Sunday). */
	weekday: number;
	hour: number;
	/** Width in the conversion's source text. */
	width: string;
}

/** Conversions of `strftime`, by letter. */
const CONVERSIONS: Record<string, ((moment: Moment) => Value) | undefined> = {
	a: ({ weekday }) => (DAYS[weekday] ?? '').slice(0, 3),
	A: ({ weekday }) => DAYS[weekday] ?? '',
	b: ({ date }) => (MONTHS[date.getUTCMonth()] ?? '').slice(0, 3),
	h: ({ date }) => (MONTHS[date.getUTCMonth()] ?? '').slice(0, 3),
	B: ({ date }) => MONTHS[date.getUTCMonth()] ?? '',
	C: ({ year }) => [Math.floor(year / 100), 2],
	d: ({ date }) => [date.getUTCDate(), 2],
	e: ({ date }) => [date.getUTCDate(), 2, ' '],
	g: ({ date }) => [isoWeek(date).year % 100, 2],
	G: ({ date }) => [isoWeek(date).year, 4],
	H: ({ hour }) => [hour, 2],
	I: ({ hour }) => [hour % 12 || 12, 2],
	j: ({ yearDay }) => [yearDay + 1, 3],
	k: ({ hour }) => [hour, 2, ' '],
	l: ({ hour }) => [hour % 12 || 12, 2, ' '],
	m: ({ date }) => [date.getUTCMonth() + 1, 2],
	M: ({ date }) => [date.getUTCMinutes(), 2],
	n: () => '\n',
	N: ({ ms, width }) => nanoseconds(ms).slice(0, Number(width || 9)),
	p: ({ hour }) => (hour < 12 ? 'AM' : 'PM'),
	P: ({ hour }) => (hour < 12 ? 'am' : 'pm'),
	q: ({ date }) => [Math.floor(date.getUTCMonth() / 3) + 1, 1],
	s: ({ ms }) => [Math.floor(ms / 1000), 1],
	S: ({ date }) => [date.getUTCSeconds(), 2],
	t: () => '\t',
	u: ({ weekday }) => [weekday || 7, 1],
	U: ({ weekday, yearDay }) => [Math.floor((yearDay + 7 - weekday) / 7), 2],
	V: ({ date }) => [isoWeek(date).week, 2],
	w: ({ weekday }) => [weekday, 1],
	W: ({ weekday, yearDay }) => [Math.floor((yearDay + 7 - ((weekday + 6) % 7)) / 7), 2],
	y: ({ year }) => [year % 100, 2],
	Y: ({ year }) => [year, 4],
	z: ({ offset }) => zoneText(offset, ''),
	':z': ({ offset }) => zoneText(offset, ':'),
	'::z': ({ offset }) => `${zoneText(offset, ':')}:00`,
	':::z': ({ offset }) => zoneText(offset, ':').replace(/:00$/, ''),
	Z: ({ ms, zone }) => zone.name(ms),
	'%': () => '%'
};

function convert(letter: string, ms: number, zone: Zone, width: string): Value | null {
	const short = SHORT[letter];
	if (short !== undefined) return strftime(short, ms, zone);
	const offset = zone.offset(ms);
	const date = new Date(ms + offset * 60_000);
	const year = date.getUTCFullYear();
	const yearDay = Math.floor((date.getTime() - Date.UTC(year, 0, 1)) / DAY_MS);
	const [hour, weekday] = [date.getUTCHours(), date.getUTCDay()];
	return CONVERSIONS[letter]?.({ ms, zone, offset, date, year, yearDay, weekday, hour, width }) ?? null;
}

function nanoseconds(ms: number): string {
	const part = ms - Math.floor(ms / 1000) * 1000;
	return String(Math.floor(part * 1_000_000)).padStart(9, '0');
}

/** ISO 8601: a day belongs to the week of its Thursday. */
function isoWeek(date: Date): { year: number; week: number } {
	const thursday = new Date(date.getTime() + (4 - (date.getUTCDay() || 7)) * DAY_MS);
	const year = thursday.getUTCFullYear();
	return { year, week: Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / DAY_MS / 7) + 1 };
}

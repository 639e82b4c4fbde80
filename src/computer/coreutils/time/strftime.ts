import { zoneText, type Zone } from './zone.ts';

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

/** Conversions that abbreviate a format. */
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
 * A time in the C locale as GNU's `date` writes it, with its flags (`%-d`, `%_H`, `%^a`, `%#Z`) and widths (`%3N`).
 * @param ms since 1970; a part of a millisecond counts for `%N`
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

function convert(letter: string, ms: number, zone: Zone, width: string): Value | null {
	const offset = zone.offset(ms);
	const date = new Date(ms + offset * 60_000);
	const year = date.getUTCFullYear();
	const hour = date.getUTCHours();
	const weekday = date.getUTCDay();
	const startOfYear = Date.UTC(year, 0, 1);
	const yearDay = Math.floor((date.getTime() - startOfYear) / DAY_MS);
	const short = SHORT[letter];
	if (short !== undefined) return strftime(short, ms, zone);
	switch (letter) {
		case 'a':
			return (DAYS[weekday] ?? '').slice(0, 3);
		case 'A':
			return DAYS[weekday] ?? '';
		case 'b':
		case 'h':
			return (MONTHS[date.getUTCMonth()] ?? '').slice(0, 3);
		case 'B':
			return MONTHS[date.getUTCMonth()] ?? '';
		case 'C':
			return [Math.floor(year / 100), 2];
		case 'd':
			return [date.getUTCDate(), 2];
		case 'e':
			return [date.getUTCDate(), 2, ' '];
		case 'g':
			return [isoWeek(date).year % 100, 2];
		case 'G':
			return [isoWeek(date).year, 4];
		case 'H':
			return [hour, 2];
		case 'I':
			return [hour % 12 || 12, 2];
		case 'j':
			return [yearDay + 1, 3];
		case 'k':
			return [hour, 2, ' '];
		case 'l':
			return [hour % 12 || 12, 2, ' '];
		case 'm':
			return [date.getUTCMonth() + 1, 2];
		case 'M':
			return [date.getUTCMinutes(), 2];
		case 'n':
			return '\n';
		case 'N':
			return nanoseconds(ms).slice(0, Number(width || 9));
		case 'p':
			return hour < 12 ? 'AM' : 'PM';
		case 'P':
			return hour < 12 ? 'am' : 'pm';
		case 'q':
			return [Math.floor(date.getUTCMonth() / 3) + 1, 1];
		case 's':
			return [Math.floor(ms / 1000), 1];
		case 'S':
			return [date.getUTCSeconds(), 2];
		case 't':
			return '\t';
		case 'u':
			return [weekday || 7, 1];
		case 'U':
			return [Math.floor((yearDay + 7 - weekday) / 7), 2];
		case 'V':
			return [isoWeek(date).week, 2];
		case 'w':
			return [weekday, 1];
		case 'W':
			return [Math.floor((yearDay + 7 - ((weekday + 6) % 7)) / 7), 2];
		case 'y':
			return [year % 100, 2];
		case 'Y':
			return [year, 4];
		case 'z':
			return zoneText(offset, '');
		case ':z':
			return zoneText(offset, ':');
		case '::z':
			return `${zoneText(offset, ':')}:00`;
		case ':::z':
			return zoneText(offset, ':').replace(/:00$/, '');
		case 'Z':
			return zone.name(ms);
		case '%':
			return '%';
		default:
			return null;
	}
}

function nanoseconds(ms: number): string {
	const part = ms - Math.floor(ms / 1000) * 1000;
	return String(Math.floor(part * 1_000_000)).padStart(9, '0');
}

/** ISO 8601: the week of a day is the one its Thursday is in. */
function isoWeek(date: Date): { year: number; week: number } {
	const thursday = new Date(date.getTime() + (4 - (date.getUTCDay() || 7)) * DAY_MS);
	const year = thursday.getUTCFullYear();
	return { year, week: Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / DAY_MS / 7) + 1 };
}

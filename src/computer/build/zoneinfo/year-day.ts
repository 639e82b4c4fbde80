/** Day of a year as written in the tz database. */
export type YearDay =
	/** `8`; `Feb 29` only exists in leap years. */
	| { month: number; form: 'day'; day: number }
	/** `lastSun`. Weekdays are numbered from Sunday, 0. */
	| { month: number; form: 'last'; weekday: number }
	/** `Sun>=8`: the first such weekday on or after that day, even in the next month. */
	| { month: number; form: 'from'; weekday: number; day: number }
	/** `Sun<=25`: the last such weekday on or before that day. */
	| { month: number; form: 'upTo'; weekday: number; day: number };

const MONTHS = [
	...['january', 'february', 'march', 'april', 'may', 'june'],
	...['july', 'august', 'september', 'october', 'november', 'december']
];
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const DAY_SECONDS = 86_400;

/**
 * Parses a month and a day of it; names may be abbreviated. Months are numbered from 0. @throws Error for anything else
 */
export function parseDay(month: string, day: string): YearDay {
	const at = indexOf(MONTHS, month);
	const [, weekday = '', comparison = '', number = ''] = /^([A-Za-z]*)([<>]=|)(\d*)$/.exec(day) ?? [];
	if (weekday === '' && number !== '') return { month: at, form: 'day', day: Number(number) };
	if (comparison === '') return { month: at, form: 'last', weekday: indexOf(WEEKDAYS, weekday.replace(/^last/i, '')) };
	const form = comparison === '>=' ? 'from' : 'upTo';
	return { month: at, form, weekday: indexOf(WEEKDAYS, weekday), day: Number(number) };
}

/** Midnight at the start of the day, in seconds since 1970 on a clock that shows UTC. */
export function startOfDay(year: number, on: YearDay): number {
	const { month } = on;
	if (on.form === 'day') return secondsOf(year, month, on.day);
	if (on.form === 'last') {
		const last = secondsOf(year, month + 1, 0);
		return last - daysBetween(on.weekday, weekdayOf(last));
	}
	const start = secondsOf(year, month, on.day);
	return on.form === 'from'
		? start + daysBetween(weekdayOf(start), on.weekday)
		: start - daysBetween(on.weekday, weekdayOf(start));
}

const secondsOf = (year: number, month: number, day: number) => Date.UTC(year, month, day) / 1000;
const weekdayOf = (seconds: number) => new Date(seconds * 1000).getUTCDay();
/** Seconds from one weekday to the next occurrence of another. */
const daysBetween = (from: number, to: number) => ((to - from + 7) % 7) * DAY_SECONDS;

function indexOf(names: readonly string[], text: string): number {
	const found = names.filter((name) => text !== '' && name.startsWith(text.toLowerCase()));
	if (found.length !== 1) throw new Error(`Not a month or a day: ${text}`);
	return names.indexOf(found[0] ?? '');
}

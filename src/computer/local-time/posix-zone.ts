const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Rules of daylight saving time if the value does not contain any: as in the United States. */
const USUAL_RULES = 'M3.2.0,M11.1.0';
const TRANSITION_MINUTES = 120;

/** Minutes east of Greenwich, and the name, at a given time. */
interface Ruled {
	offset(ms: number): number;
	name(ms: number): string;
}

/** Day of each year, and the minute on it. */
interface Rule {
	/** Start of the day in ms, as if in Greenwich. */
	day(year: number): number;
	minutes: number;
}

const FORM =
	/^(?:([A-Za-z]{3,})|<([-+\w]{3,})>)([-+]?\d{1,3}(?::\d{2}){0,2})(?:(?:([A-Za-z]{3,})|<([-+\w]{3,})>)([-+]?\d{1,3}(?::\d{2}){0,2})?(?:,(.+))?)?$/;

/** Parses the POSIX form of TZ: `CET-1`, `PST8PDT,M3.2.0,M11.1.0/3`. Null for any other. */
export function posixZone(text: string): Ruled | null {
	const [, plain, quoted, offset = '', summerPlain, summerQuoted, summerOffset, rules] = FORM.exec(text) ?? [];
	const standard = { name: plain ?? quoted ?? '', minutes: eastOf(offset) };
	if (standard.name === '') return null;
	const summerName = summerPlain ?? summerQuoted;
	if (summerName === undefined) return { offset: () => standard.minutes, name: () => standard.name };
	const summer = {
		name: summerName,
		minutes: summerOffset === undefined ? standard.minutes + 60 : eastOf(summerOffset)
	};
	const [start, end] = (rules ?? USUAL_RULES).split(',').map(ruleOf);
	if (!start || !end) return null;
	const at = (ms: number) => (isSummer(ms, start, end, standard.minutes, summer.minutes) ? summer : standard);
	return { offset: (ms) => at(ms).minutes, name: (ms) => at(ms).name };
}

/** Converts to minutes east of Greenwich: POSIX counts to the west. */
function eastOf(text: string): number {
	const [hours = '0', minutes = '0'] = text.replace(/^[-+]/, '').split(':');
	const total = Number(hours) * 60 + Number(minutes);
	return text.startsWith('-') ? total : -total || 0;
}

function isSummer(ms: number, start: Rule, end: Rule, standard: number, summer: number): boolean {
	const year = new Date(ms + standard * MINUTE_MS).getUTCFullYear();
	const from = start.day(year) + (start.minutes - standard) * MINUTE_MS;
	const until = end.day(year) + (end.minutes - summer) * MINUTE_MS;
	// In the southern hemisphere, summer spans the end of the year.
	return from < until ? ms >= from && ms < until : ms >= from || ms < until;
}

/** Parses `M3.2.0/3`: a weekday of a month; `J60`, `59`: a day of the year, without and with leap days. */
function ruleOf(text: string): Rule | null {
	const [date = '', time] = text.split('/');
	const minutes = time === undefined ? TRANSITION_MINUTES : -eastOf(time) || 0;
	const [, month, week, weekday] = /^M(\d{1,2})\.([1-5])\.([0-6])$/.exec(date) ?? [];
	if (month !== undefined)
		return { minutes, day: (year) => weekdayOf(year, Number(month), Number(week), Number(weekday)) };
	const [, julian, day] = /^(J?)(\d{1,3})$/.exec(date) ?? [];
	if (day === undefined) return null;
	if (julian === '') return { minutes, day: (year) => Date.UTC(year, 0, 1) + Number(day) * DAY_MS };
	// Day 60 is always the first of March.
	const inPlainYear = new Date(Date.UTC(2001, 0, Number(day)));
	return { minutes, day: (year) => Date.UTC(year, inPlainYear.getUTCMonth(), inPlainYear.getUTCDate()) };
}

/** Day of the `week`th weekday of a month; the fifth is the last. */
function weekdayOf(year: number, month: number, week: number, weekday: number): number {
	const first = new Date(Date.UTC(year, month - 1, 1)).getUTCDay();
	const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
	let date = 1 + ((weekday - first + 7) % 7) + (week - 1) * 7;
	if (date > days) date -= 7;
	return Date.UTC(year, month - 1, date);
}

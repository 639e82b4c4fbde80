import { zoneText, type Signature } from '../objects/commit.ts';

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const LONG_DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const LONG_MONTHS = [
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
const two = (value: number) => String(value).padStart(2, '0');

/** Formats a commit's time in a `--date` format of git, with `-local` in the local zone; null for an unknown format. */
export function formatDate(who: Signature, form: string, nowMs: number): string | null {
	const full = form === 'local' ? 'default-local' : form;
	if (/-local(?:$|:)/.test(full)) {
		const offsetMinutes = -new Date(who.seconds * 1000).getTimezoneOffset() || 0;
		const text = formatDate({ ...who, offsetMinutes }, full.replace('-local', ''), nowMs);
		return full === 'default-local' ? (text?.replace(/ [-+]\d{4}$/, '') ?? null) : text;
	}
	const local = new Date((who.seconds + who.offsetMinutes * 60) * 1000);
	const zone = zoneText(who.offsetMinutes);
	const day = `${local.getUTCFullYear()}-${two(local.getUTCMonth() + 1)}-${two(local.getUTCDate())}`;
	const clock = `${two(local.getUTCHours())}:${two(local.getUTCMinutes())}:${two(local.getUTCSeconds())}`;
	const weekday = DAYS[local.getUTCDay()]!;
	const month = MONTHS[local.getUTCMonth()]!;
	if (form === 'default' || form === '')
		return `${weekday} ${month} ${local.getUTCDate()} ${clock} ${local.getUTCFullYear()} ${zone}`;
	if (form === 'iso' || form === 'iso8601') return `${day} ${clock} ${zone}`;
	if (form === 'iso-strict' || form === 'iso8601-strict') {
		return `${day}T${clock}${zone.slice(0, 3)}:${zone.slice(3)}`;
	}
	if (form === 'rfc' || form === 'rfc2822')
		return `${weekday}, ${local.getUTCDate()} ${month} ${local.getUTCFullYear()} ${clock} ${zone}`;
	if (form === 'short') return day;
	if (form === 'unix') return String(who.seconds);
	if (form === 'raw') return `${who.seconds} ${zone}`;
	if (form.startsWith('format:')) return strftime(form.slice(7), local, zone, who.seconds);
	if (form === 'human') return humanDate(who, nowMs);
	if (form === 'relative') return relativeDate(who.seconds, Math.floor(nowMs / 1000));
	return null;
}

/** Formats a date without the parts equal to the current one: year, day, zone. */
function humanDate(who: Signature, nowMs: number): string {
	const hereMinutes = -new Date(nowMs).getTimezoneOffset() || 0;
	const now = new Date(nowMs + hereMinutes * 60_000);
	const then = new Date((who.seconds + who.offsetMinutes * 60) * 1000);
	const isThisYear = then.getUTCFullYear() === now.getUTCFullYear();
	const isThisMonth = isThisYear && then.getUTCMonth() === now.getUTCMonth();
	const days = now.getUTCDate() - then.getUTCDate();
	if (isThisMonth && days === 0) return relativeDate(who.seconds, Math.floor(nowMs / 1000));
	const isThisWeek = isThisMonth && days > 0 && days < 5;
	const weekday = isThisYear ? `${DAYS[then.getUTCDay()]!} ` : '';
	const day = isThisWeek ? '' : `${MONTHS[then.getUTCMonth()]!} ${then.getUTCDate()} `;
	const clock = isThisYear ? `${two(then.getUTCHours())}:${two(then.getUTCMinutes())}` : '';
	const year = isThisYear ? '' : String(then.getUTCFullYear());
	const zone = isThisWeek && who.offsetMinutes !== hereMinutes ? ` ${zoneText(who.offsetMinutes)}` : '';
	return `${weekday}${day}${clock}${year}${zone}`;
}

/** Formats the common fields of `--date=format:`. */
function strftime(format: string, local: Date, zone: string, seconds: number): string {
	const hour = local.getUTCHours();
	const year = String(local.getUTCFullYear());
	const date = `${two(local.getUTCMonth() + 1)}`;
	const fields: Record<string, string> = {
		Y: year,
		y: year.slice(2),
		m: date,
		d: two(local.getUTCDate()),
		e: String(local.getUTCDate()).padStart(2),
		H: two(hour),
		I: two(hour % 12 || 12),
		M: two(local.getUTCMinutes()),
		S: two(local.getUTCSeconds()),
		p: hour < 12 ? 'AM' : 'PM',
		a: DAYS[local.getUTCDay()]!,
		A: LONG_DAYS[local.getUTCDay()]!,
		b: MONTHS[local.getUTCMonth()]!,
		B: LONG_MONTHS[local.getUTCMonth()]!,
		F: `${year}-${date}-${two(local.getUTCDate())}`,
		T: `${two(hour)}:${two(local.getUTCMinutes())}:${two(local.getUTCSeconds())}`,
		R: `${two(hour)}:${two(local.getUTCMinutes())}`,
		z: zone,
		s: String(seconds),
		n: '\n',
		t: '\t',
		'%': '%'
	};
	return format.replace(/%([A-Za-z%])/g, (whole, letter: string) => fields[letter] ?? whole);
}

/** `3 days ago`, with git's rounding. */
export function relativeDate(seconds: number, nowSeconds: number): string {
	const ago = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'} ago`;
	if (nowSeconds < seconds) return 'in the future';
	let past = nowSeconds - seconds;
	if (past < 90) return ago(past, 'second');
	past = Math.floor((past + 30) / 60);
	if (past < 90) return ago(past, 'minute');
	past = Math.floor((past + 30) / 60);
	if (past < 36) return ago(past, 'hour');
	past = Math.floor((past + 12) / 24);
	if (past < 14) return ago(past, 'day');
	if (past < 70) return ago(Math.floor((past + 3) / 7), 'week');
	if (past < 365) return ago(Math.floor((past + 15) / 30), 'month');
	if (past < 1825) {
		const months = Math.floor((past * 12 * 2 + 365) / (365 * 2));
		const years = Math.floor(months / 12);
		if (months % 12 === 0) return ago(years, 'year');
		return `${years} year${years === 1 ? '' : 's'}, ${ago(months % 12, 'month')}`;
	}
	return ago(Math.floor((past + 183) / 365), 'year');
}

const UNITS: Record<string, number> = {
	second: 1,
	minute: 60,
	hour: 3600,
	day: 86400,
	week: 604800,
	month: 2592000,
	year: 31536000
};

/** Parses `2 weeks ago` and `yesterday`; null for anything else. */
export function agoDate(text: string, nowMs: number): { seconds: number } | null {
	const now = Math.floor(nowMs / 1000);
	const word = text.trim().toLowerCase();
	if (word === 'now' || word === 'today') return { seconds: now };
	if (word === 'yesterday') return { seconds: now - 86400 };
	const last = /^last[ .](day|week|month|year)$/.exec(word)?.[1];
	if (last !== undefined) return { seconds: now - UNITS[last]! };
	const match = /^(\d+|an?|one)[ .]?(second|sec|minute|min|hour|day|week|month|year)s?(?:[ .]ago)?$/.exec(word);
	if (!match) return null;
	const unit = { sec: 'second', min: 'minute' }[match[2]!] ?? match[2]!;
	return { seconds: now - (Number(match[1]) || 1) * UNITS[unit]! };
}

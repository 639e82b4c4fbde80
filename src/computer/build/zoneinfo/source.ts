import { parseDay, type YearDay } from './year-day.ts';

/** Clock in which a time of day is given. */
export type Clock = 'wall' | 'standard' | 'universal';

/** Time of day. */
export interface TimeOfDay {
	/** Seconds after midnight; negative or beyond 24 hours for another day. */
	seconds: number;
	clock: Clock;
}

/** Line `Rule`: a yearly change of the clocks between `from` and `to`. */
export interface Rule {
	from: number;
	/** Last year; `Infinity` for "max". */
	to: number;
	on: YearDay;
	at: TimeOfDay;
	/** Seconds added to standard time; negative for winter time (Europe/Dublin). */
	save: number;
	isDst: boolean;
	/** Replaces `%s` of the format. */
	letters: string;
}

/** Line `Zone` or its continuation: what applies until `until`. */
export interface Era {
	/** Standard time: seconds east of Greenwich. */
	offset: number;
	/** Changes of the clocks; empty if `save` applies the whole time. */
	rules: readonly Rule[];
	save: number;
	/** Abbreviation: `CE%sT`, `GMT/IST`, `%z` or plain text. */
	format: string;
	/** End of the era; `null` for the last one. */
	until: { year: number; on: YearDay; at: TimeOfDay } | null;
}

/** Content of a file in zic's input format. */
export interface Source {
	/** Zone → its eras, oldest first. */
	zones: Map<string, Era[]>;
	/** Alias → zone or another alias. */
	links: Map<string, string>;
}

/**
 * Parses zic's input, in full or in the compact form of `tzdata.zi`.
 *
 * @see https://www.man7.org/linux/man-pages/man8/zic.8.html FILES
 * @throws Error for an unknown line
 */
export function parseSource(text: string): Source {
	const lines = text
		.split('\n')
		.map((line) => line.replace(/#.*/, '').trim().split(/\s+/))
		.filter(([first]) => first !== '');
	const rules = new Map<string, Rule[]>();
	for (const [kind = '', name = '', ...fields] of lines) {
		if (/^R/.test(kind)) rules.set(name, [...(rules.get(name) ?? []), parseRule(fields)]);
	}
	const zones = new Map<string, Era[]>();
	const links = new Map<string, string>();
	let eras: Era[] = [];
	for (const fields of lines) {
		const [kind = '', first = '', second = ''] = fields;
		if (/^R/.test(kind)) continue;
		if (/^L/.test(kind)) links.set(second, first);
		else if (/^Z/.test(kind)) zones.set(first, (eras = [parseEra(fields.slice(2), rules)]));
		else eras.push(parseEra(fields, rules));
	}
	return { zones, links };
}

function parseRule(fields: string[]): Rule {
	const [from = '', to = '', , month = '', day = '', at = '', save = '', letters = ''] = fields;
	const first = parseYear(from);
	const { seconds, suffix } = parseTime(save);
	return {
		from: first,
		to: /^o/.test(to) ? first : /^ma/.test(to) ? Infinity : parseYear(to),
		on: parseDay(month, day),
		at: parseTimeOfDay(at),
		save: seconds,
		isDst: suffix === '' ? seconds !== 0 : suffix === 'd',
		letters: letters === '-' ? '' : letters
	};
}

function parseEra(fields: string[], rules: Map<string, Rule[]>): Era {
	const [offset = '', rule = '', format = '', year, month = 'January', day = '1', at = '0'] = fields;
	const isFixed = rule === '-' || /^-?\d/.test(rule);
	const named = rules.get(rule);
	if (!isFixed && !named) throw new Error(`Zone with unknown rules: ${fields.join(' ')}`);
	return {
		offset: parseTime(offset).seconds,
		rules: named && !isFixed ? named : [],
		save: isFixed ? parseTime(rule).seconds : 0,
		format,
		until: year === undefined ? null : { year: parseYear(year), on: parseDay(month, day), at: parseTimeOfDay(at) }
	};
}

function parseYear(text: string): number {
	if (!/^\d{1,4}$/.test(text)) throw new Error(`Not a year: ${text}`);
	return Number(text);
}

function parseTimeOfDay(text: string): TimeOfDay {
	const { seconds, suffix } = parseTime(text);
	return { seconds, clock: /[ugz]/.test(suffix) ? 'universal' : suffix === 's' ? 'standard' : 'wall' };
}

/** Parses `-2:30:15s`; `-` is zero. */
function parseTime(text: string): { seconds: number; suffix: string } {
	const found = /^(-?)(?:(\d+)(?::(\d\d?))?(?::(\d\d?))?)?([a-z]?)$/.exec(text);
	if (!found) throw new Error(`Not a time: ${text}`);
	const [, sign, hours = '0', minutes = '0', seconds = '0', suffix = ''] = found;
	const total = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
	return { seconds: sign && total > 0 ? -total : total, suffix };
}

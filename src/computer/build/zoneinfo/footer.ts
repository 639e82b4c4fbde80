import type { Era, Rule } from './source.ts';
import { abbreviationOf, type History } from './transitions.ts';

const HOUR = 3_600;
const DAY = 86_400;
/** Time of day of a change if none is specified. */
const USUAL_TIME = 2 * HOUR;
const LONGEST_MONTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Value of `TZ` for the time after the listed transitions. */
export interface Footer {
	text: string;
	/** Set if a time of day is outside POSIX's 0 to 24 hours: the file then has version 3. */
	isExtended: boolean;
}

/**
 * Formats the local times after the last era's listed transitions as a POSIX `TZ` value: `CET-1CEST,M3.5.0,M10.5.0/3`.
 *
 * @see RFC 9636, section 3.3
 * @throws Error for rules that cannot be expressed this way
 */
export function footerOf(eras: readonly Era[], { first, transitions }: History): Footer {
	const era = eras.at(-1);
	const lasting = era?.rules.filter(({ to }) => to === Infinity) ?? [];
	if (!era || lasting.length === 0) {
		const { offset, abbreviation } = transitions.at(-1)?.to ?? first;
		return { text: quoted(abbreviation) + timeText(-offset), isExtended: false };
	}
	const [standard, ...otherStandard] = lasting.filter(({ isDst }) => !isDst);
	const [summer, ...otherSummer] = lasting.filter(({ isDst }) => isDst);
	if (!standard || otherStandard.length > 0 || otherSummer.length > 0)
		throw new Error(`The rules of ${era.format} do not fit into TZ.`);
	const name = ({ save, isDst, letters }: Rule) =>
		quoted(abbreviationOf(era.format, era.offset + save, isDst, letters));
	const text = name(standard) + timeText(-era.offset - standard.save);
	if (!summer) return { text, isExtended: false };
	const offset = summer.save === HOUR ? '' : timeText(-era.offset - summer.save);
	const changes = [changeOf(summer, era, standard.save), changeOf(standard, era, summer.save)];
	const dates = changes.map(({ day, time }) => `,${day}${time === USUAL_TIME ? '' : `/${timeText(time)}`}`);
	return {
		text: text + name(summer) + offset + dates.join(''),
		isExtended: changes.some(({ time }) => time < 0 || time > DAY)
	};
}

/**
 * Day of a yearly change, and its time of day on the wall clock in seconds.
 * @param saveBefore seconds by which the wall clock is ahead of standard time before the change
 */
function changeOf({ on, at }: Rule, era: Era, saveBefore: number): { day: string; time: number } {
	const time = at.seconds + (at.clock === 'universal' ? era.offset : 0) + (at.clock === 'wall' ? 0 : saveBefore);
	const month = on.month + 1;
	if (on.form === 'last') return { day: `M${month}.5.${on.weekday}`, time };
	if (on.form === 'day') {
		if (on.month === 1 && on.day === 29) throw new Error('February 29 does not fit into TZ.');
		const before = LONGEST_MONTHS.slice(0, on.month).reduce((sum, days) => sum + days, 0);
		return { day: `J${before + on.day - (on.month > 1 ? 1 : 0)}`, time };
	}
	const isMonthsEnd = on.form === 'upTo' && on.day === LONGEST_MONTHS[on.month];
	if (isMonthsEnd) return { day: `M${month}.5.${on.weekday}`, time };
	// TZ counts weeks from the first of the month: `Sun>=9` is the day after `Sat>=8`.
	const later = (on.form === 'from' ? on.day - 1 : on.day) % 7;
	const week = on.form === 'from' ? 1 + Math.floor((on.day - 1) / 7) : Math.floor(on.day / 7);
	return { day: `M${month}.${week}.${(on.weekday - later + 7) % 7}`, time: time + later * DAY };
}

/** Abbreviation, in angle brackets unless it consists of letters. */
const quoted = (abbreviation: string) => (/^[A-Za-z]+$/.test(abbreviation) ? abbreviation : `<${abbreviation}>`);

/** `-5:30`, with minutes and seconds only where they are not zero. */
function timeText(seconds: number): string {
	const total = Math.abs(seconds);
	const parts = [Math.floor(total / HOUR), Math.floor(total / 60) % 60, total % 60];
	while (parts.length > 1 && parts.at(-1) === 0) parts.pop();
	const [hours = 0, ...rest] = parts;
	return (seconds < 0 ? '-' : '') + [hours, ...rest.map((part) => String(part).padStart(2, '0'))].join(':');
}

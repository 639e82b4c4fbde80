import type { Era, Rule, TimeOfDay } from './source.ts';
import { startOfDay } from './year-day.ts';

/** Local time of one kind. */
export interface LocalTime {
	/** Seconds east of Greenwich. */
	offset: number;
	isDst: boolean;
	abbreviation: string;
}

/** Moment at which a zone's clocks change. */
export interface Transition {
	/** Seconds since 1970, UTC. */
	at: number;
	to: LocalTime;
}

/** History of a zone. */
export interface History {
	/** Local time before the first transition. */
	first: LocalTime;
	/** In chronological order. */
	transitions: Transition[];
}

/** Last year whose transitions are listed individually, as in `zic -b fat`: the last full year of 32-bit times. */
const LAST_YEAR = 2037;

/**
 * Computes when the clocks of a zone change, using the algorithm of zic (`outzone` in zic.c), whose order of steps
 * decides what applies if the end of an era and a rule coincide.
 */
export function historyOf(eras: readonly Era[]): History {
	const years = yearsOf(eras);
	let first: LocalTime | null = null;
	const transitions: Transition[] = [];
	let startedAt: number | null = null;
	for (const era of eras) {
		const run: EraRun = new EraRun(era, startedAt, years);
		transitions.push(...run.transitions);
		first ??= run.first;
		startedAt = run.endsAt;
	}
	if (!first) throw new Error('A zone has no time before its first change.');
	return { first, transitions: merged(first, transitions) };
}

/** Range of years of a zone's rules. */
function yearsOf(eras: readonly Era[]): { from: number; to: number } {
	const rules = eras.flatMap((era) => era.rules);
	const ends = eras.flatMap(({ until }) => (until ? [until.year] : []));
	const finite = rules.map(({ from, to }) => (to === Infinity ? from : to));
	return { from: Math.min(...rules.map((rule) => rule.from)), to: Math.max(LAST_YEAR, ...finite, ...ends) };
}

/** Transitions of one era. */
class EraRun {
	readonly transitions: Transition[] = [];
	/** Local time of the era's standard time, for a zone that begins with it. */
	first: LocalTime | null = null;
	/** End of the era, seconds since 1970; `null` for the last one. */
	readonly endsAt: number | null;
	/** Seconds currently added to standard time. */
	#save: number;
	/** Set while no rule applies at the start of the era: the local time there has yet to be found. */
	#isStartOpen: boolean;
	/** Seconds added at the start. */
	#startSave = 0;
	/**
	 * Rule that names the local time at the start: the last one before it, otherwise the first later one with its
	 * offset.
	 */
	#startRule: Rule | null = null;

	/** @param startedAt end of the previous era, seconds since 1970; `null` for the first era */
	constructor(
		private readonly era: Era,
		private readonly startedAt: number | null,
		years: { from: number; to: number }
	) {
		this.#save = era.rules.length === 0 ? era.save : 0;
		this.#isStartOpen = startedAt !== null;
		if (era.rules.length === 0) {
			const local = localTime(era, { save: era.save, isDst: era.save !== 0, letters: '' });
			if (startedAt === null) this.first = local;
			else this.transitions.push({ at: startedAt, to: local });
		} else {
			for (let year = years.from; year <= Math.min(years.to, era.until?.year ?? Infinity); year++) {
				if (!this.#runYear(year)) break;
			}
			this.#addStart();
		}
		this.endsAt = this.#end();
	}

	/** Applies the rules of a year in the order of their times. @returns false after the end of the era */
	#runYear(year: number): boolean {
		const waiting = this.era.rules
			.filter(({ from, to }) => year >= from && year <= to)
			.map((rule) => ({ rule, local: startOfDay(year, rule.on) + rule.at.seconds }));
		while (waiting.length > 0) {
			// The end and each rule use the clock set by the previous rule.
			const end = this.#end();
			const times = waiting.map(({ rule, local }) => this.#toUtc(local, rule.at));
			const at = Math.min(...times);
			const [next] = waiting.splice(times.indexOf(at), 1);
			if (!next) break;
			if (end !== null && at >= end) {
				this.#nameStart(next.rule);
				return false;
			}
			this.#apply(next.rule, at);
		}
		return true;
	}

	#apply(rule: Rule, at: number): void {
		this.#save = rule.save;
		if (at === this.startedAt) this.#isStartOpen = false;
		if (this.#isStartOpen && this.startedAt !== null && at < this.startedAt) {
			this.#startSave = rule.save;
			this.#startRule = rule;
			return;
		}
		this.#nameStart(rule);
		const to = localTime(this.era, rule);
		if (this.startedAt === null && !rule.isDst) this.first ??= to;
		this.transitions.push({ at, to });
	}

	#nameStart(rule: Rule): void {
		if (rule.save === this.#startSave) this.#startRule ??= rule;
	}

	/** Adds the local time at the start of the era. */
	#addStart(): void {
		if (!this.#isStartOpen || this.startedAt === null) return;
		const save = this.#startSave;
		const to = localTime(this.era, { save, isDst: save !== 0, letters: this.#startRule?.letters ?? '' });
		this.transitions.unshift({ at: this.startedAt, to });
	}

	#end(): number | null {
		const { until } = this.era;
		return until && this.#toUtc(startOfDay(until.year, until.on) + until.at.seconds, until.at);
	}

	#toUtc(local: number, { clock }: TimeOfDay): number {
		if (clock === 'universal') return local;
		return local - this.era.offset - (clock === 'wall' ? this.#save : 0);
	}
}

/** Local time in an era under a rule. */
function localTime(era: Era, { save, isDst, letters }: Pick<Rule, 'save' | 'isDst' | 'letters'>): LocalTime {
	const offset = era.offset + save;
	return { offset, isDst, abbreviation: abbreviationOf(era.format, offset, isDst, letters) };
}

/** Abbreviation in the format of an era. @param offset seconds east of Greenwich, for `%z` */
export function abbreviationOf(format: string, offset: number, isDst: boolean, letters: string): string {
	if (format.includes('/')) return format.split('/')[isDst ? 1 : 0] ?? '';
	return format.replace('%s', letters).replace('%z', offsetText(offset));
}

/** `+01`, `-0330`. */
function offsetText(offset: number): string {
	const total = Math.abs(offset);
	const parts = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60];
	while (parts.length > 1 && parts.at(-1) === 0) parts.pop();
	return (offset < 0 ? '-' : '+') + parts.map((part) => String(part).padStart(2, '0')).join('');
}

/**
 * Drops transitions that change nothing, and those that are overtaken by a later one on the local clock, as zic does.
 */
function merged(first: LocalTime, transitions: readonly Transition[]): Transition[] {
	const kept: Transition[] = [];
	for (const next of [...transitions].sort((a, b) => a.at - b.at)) {
		const last = kept.at(-1);
		const before = kept.at(-2)?.to ?? first;
		if (last && next.at + last.to.offset <= last.at + before.offset) last.to = next.to;
		else if (!isSame(last?.to ?? first, next.to)) kept.push({ ...next });
	}
	return kept;
}

export const isSame = (a: LocalTime, b: LocalTime): boolean =>
	a.offset === b.offset && a.isDst === b.isDst && a.abbreviation === b.abbreviation;

import { decode } from '../bytes.ts';
import { binaryBytes } from '../diff/lines.ts';
import { unquotePath } from '../unquote-path.ts';

/** Strips leading path components; null if there are not enough. */
export function stripped(name: string, count: number): string | null {
	const parts = name.split('/');
	return count >= parts.length ? null : parts.slice(Math.max(0, count)).join('/');
}

const NOTHING = '/dev/null';

/** Names from the `---` and `+++` lines of a git patch; null for `/dev/null`. */
export function gitNames(from: string, to: string, strip: number): { old: string | null; now: string | null } {
	const name = (line: string) => {
		const text = rawName(line);
		if (text === NOTHING) return null;
		return stripped(text, strip);
	};
	return { old: name(from), now: name(to) };
}

/** Name of the file in a patch not created by git, and what the patch does to it. */
export interface PlainNames {
	name: string;
	kind: 'modify' | 'create' | 'delete';
	/** The patch does not tell whether the file existed before. */
	isUncertain: boolean;
	/** Number of leading path components that were stripped. */
	strip: number;
}

/** Parses the names of a patch not created by git; null if there is no name. @param strip null to guess it */
export function plainNames(from: string, to: string, strip: number | null, prefix: string): PlainNames | null {
	const count = strip ?? guessed(rawName(from), rawName(to), prefix);
	const nameOf = (line: string) => {
		const text = rawName(line);
		if (text === NOTHING) return null;
		// A partly quoted name is used as is.
		return stripped(text, count) ?? stripped(withoutTime(line.slice(4)), count);
	};
	const [old, now] = [nameOf(from), nameOf(to)];
	const isCreated = rawName(from) === NOTHING || isEpoch(from);
	const isDeleted = rawName(to) === NOTHING || (isEpoch(to) && !isCreated);
	const name = old === null || now === null ? (now ?? old) : isCreated ? now : isDeleted ? old : shorter(old, now);
	if (name === null || name === '') return null;
	return {
		name,
		kind: isCreated ? 'create' : isDeleted ? 'delete' : 'modify',
		isUncertain: !isCreated && !isDeleted,
		strip: count
	};
}

/** Chooses the shorter of two names, such as `file` instead of `file.orig`. */
const shorter = (from: string, to: string): string => (to.startsWith(from) ? from : to);

/** Guesses the number of leading path components to strip, based on the current directory. */
function guessed(from: string, to: string, prefix: string): number {
	const guess = (name: string): number => {
		if (name === NOTHING) return -1;
		if (!name.includes('/')) return 0;
		if (prefix === '') return -1;
		const depth = prefix.split('/').length - 1;
		if (name.startsWith(prefix)) return depth;
		return name.slice(name.indexOf('/') + 1).startsWith(prefix) ? depth + 1 : -1;
	};
	const [first, second] = [guess(from), guess(to)];
	const one = first < 0 ? second : first;
	return one >= 0 && one === second ? one : 1;
}

function rawName(line: string): string {
	const text = line.slice(4).replace(/\r?\n$/, '');
	if (/^"(?:[^"\\]|\\.)*"(?:\t|$)/.test(text)) return unquotePath(/^"(?:[^"\\]|\\.)*"/.exec(text)![0]);
	return withoutTime(text);
}

/** Timestamp that GNU diff writes after a name. */
const TIME = /[ \t]+\d{2,4}[-/]\d\d[-/]\d\d \d\d:\d\d(?::\d\d(?:\.\d+)?)?(?: [-+]\d\d:?\d\d)?$/;

function withoutTime(text: string): string {
	const whole = text.replace(/\r?\n$/, '');
	const name = whole.includes('\t') ? whole.slice(0, whole.indexOf('\t')) : whole.replace(TIME, '');
	return decode(binaryBytes(name.replace(/ +$/, (blanks) => (whole.includes('\t') ? blanks : ''))));
}

/** Returns whether a line has the timestamp that GNU diff writes for a missing file: the start of 1970, UTC. */
function isEpoch(line: string): boolean {
	const found = /\t(1969-12-31|1970-01-01) (\d\d):(\d\d):00(?:\.0+)? ([-+])(\d\d):?(\d\d)$/.exec(
		line.replace(/\r?\n$/, '')
	);
	if (!found) return false;
	const [, day, hour, minute, sign, zoneHour, zoneMinute] = found;
	const local = (day === '1969-12-31' ? -24 * 60 : 0) + Number(hour) * 60 + Number(minute);
	const zone = (Number(zoneHour) * 60 + Number(zoneMinute)) * (sign === '-' ? -1 : 1);
	return local === zone;
}

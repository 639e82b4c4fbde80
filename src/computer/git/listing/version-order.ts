/**
 * Compares names with numbers in them as versions: `v1.9` before `v1.10`.
 *
 * @param suffixes prerelease suffixes, as listed by `versionsort.suffix`
 */
export function compareVersions(a: string, b: string, suffixes: readonly string[] = []): number {
	let at = 0;
	while (at < a.length && a[at] === b[at]) at++;
	if (at === a.length && at === b.length) return 0;
	const bySuffix = suffixes.length === 0 ? null : compareSuffixes(a, b, at, suffixes);
	return bySuffix ?? compareNumbers(a, b, at);
}

const isDigit = (letter: string | undefined): boolean => letter !== undefined && letter >= '0' && letter <= '9';

/** Compares at the first difference of two names, by the number at that position. */
function compareNumbers(a: string, b: string, at: number): number {
	const shared = /\d*$/.exec(a.slice(0, at))![0];
	const difference = (a.charCodeAt(at) || 0) - (b.charCodeAt(at) || 0);
	const [left, right] = [isDigit(a[at]), isDigit(b[at])];
	if (shared === '')
		return left && right && a[at] !== '0' && b[at] !== '0' ? byLength(a, b, at, difference) : difference;
	if (!shared.startsWith('0')) {
		if (left && right) return byLength(a, b, at, difference);
		return left === right ? difference : left ? 1 : -1;
	}
	// Digits after a leading zero are a fraction: more digits do not make it greater.
	if (/[1-9]/.test(shared) || left === right) return difference;
	return left ? -1 : 1;
}

/** The number with more digits is greater. */
function byLength(a: string, b: string, at: number, otherwise: number): number {
	return digitsAt(a, at).length - digitsAt(b, at).length || otherwise;
}

const digitsAt = (text: string, start: number): string => /^\d*/.exec(text.slice(start))![0];

/** Suffix that a name has around the first difference. */
interface Found {
	start: number;
	length: number;
	/** Position in the list of suffixes. */
	rank: number;
}

function compareSuffixes(a: string, b: string, differsAt: number, suffixes: readonly string[]): number | null {
	const [left, right] = [suffixAt(a, differsAt, suffixes), suffixAt(b, differsAt, suffixes)];
	if (left === null && right === null) return null;
	if (left !== null && right !== null) return left.rank === right.rank ? null : left.rank - right.rank;
	// The release itself ranks where the empty suffix is listed, or last.
	const empty = suffixes.indexOf('');
	const plain = empty < 0 ? suffixes.length : empty;
	return (left?.rank ?? plain) - (right?.rank ?? plain);
}

function suffixAt(name: string, differsAt: number, suffixes: readonly string[]): Found | null {
	let best: Found | null = null;
	for (const [rank, suffix] of suffixes.entries()) {
		if (suffix === '') continue;
		const first = Math.max(0, differsAt - suffix.length);
		for (let start = first; start <= differsAt; start++) {
			if (!name.startsWith(suffix, start)) continue;
			// The earliest suffix wins, then the longest.
			if (!best || start < best.start || (start === best.start && suffix.length > best.length))
				best = { start, length: suffix.length, rank };
			break;
		}
	}
	return best;
}

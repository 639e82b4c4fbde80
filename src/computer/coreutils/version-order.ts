/**
 * Compares names with numbers in them, like gnulib's `filevercmp`: hidden names first, suffixes such as `.tar.gz` only
 * if the rest is equal, `~` before everything.
 */
export function compareVersions(first: string, second: string): number {
	if (first === second) return 0;
	if (first === '') return -1;
	if (second === '') return 1;
	for (const special of ['.', '..']) {
		if (first === special) return -1;
		if (second === special) return 1;
	}
	const [isHidden, isOtherHidden] = [first.startsWith('.'), second.startsWith('.')];
	if (isHidden !== isOtherHidden) return isHidden ? -1 : 1;
	const [left, right] = [withoutSuffix(first), withoutSuffix(second)];
	const isSameStem = left === right;
	const order = isSameStem ? 0 : compareParts(left, right);
	return order || compareParts(first, second);
}

const withoutSuffix = (name: string): string => {
	const hidden = name.startsWith('.') ? 1 : 0;
	return name.slice(0, hidden) + name.slice(hidden).replace(/(?:\.[A-Za-z~][A-Za-z0-9~]*)*$/, '');
};

/** Rank of a non-digit character: `~`, the end, letters, all others. */
function rank(text: string, at: number): number {
	const one = text[at];
	if (one === undefined || /\d/.test(one)) return 0;
	if (one === '~') return -1;
	return /[A-Za-z]/.test(one) ? one.charCodeAt(0) : one.charCodeAt(0) + 256;
}

const isDigit = (text: string, at: number): boolean => /^\d$/.test(text[at] ?? '');

function compareParts(first: string, second: string): number {
	let [left, right] = [0, 0];
	while (left < first.length || right < second.length) {
		while ((left < first.length && !isDigit(first, left)) || (right < second.length && !isDigit(second, right))) {
			const order = rank(first, left) - rank(second, right);
			if (order) return order;
			left++;
			right++;
		}
		const [number = '', other = ''] = [/^\d*/.exec(first.slice(left))?.[0], /^\d*/.exec(second.slice(right))?.[0]];
		const [digits, otherDigits] = [number.replace(/^0+/, ''), other.replace(/^0+/, '')];
		if (digits.length !== otherDigits.length) return digits.length - otherDigits.length;
		if (digits !== otherDigits) return digits < otherDigits ? -1 : 1;
		left += number.length;
		right += other.length;
	}
	return 0;
}

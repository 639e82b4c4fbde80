/**
 * Yields the positions of a sequence, including overlapping ones, in linear time (Knuth, Morris and Pratt): a model's
 * search text may be adversarial.
 *
 * @param from the first index to search
 */
export function* findSequence<Part>(whole: ArrayLike<Part>, wanted: ArrayLike<Part>, from = 0): Generator<number> {
	const { length } = wanted;
	if (length === 0) return;
	const fallback = new Int32Array(length);
	for (let at = 1, matched = 0; at < length; at++) {
		while (matched > 0 && wanted[at] !== wanted[matched]) matched = fallback[matched - 1] ?? 0;
		if (wanted[at] === wanted[matched]) matched++;
		fallback[at] = matched;
	}
	for (let at = from, matched = 0; at < whole.length; at++) {
		while (matched > 0 && whole[at] !== wanted[matched]) matched = fallback[matched - 1] ?? 0;
		if (whole[at] !== wanted[matched]) continue;
		if (++matched < length) continue;
		yield at - length + 1;
		matched = fallback[length - 1] ?? 0;
	}
}

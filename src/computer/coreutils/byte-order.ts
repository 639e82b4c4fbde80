/** Compares by bytes, which is the order of code points. */
export function byBytes(a: string, b: string): number {
	if (a === b) return 0;
	const [left, right] = [[...a], [...b]];
	for (let index = 0; index < Math.min(left.length, right.length); index++) {
		const order = (left[index]?.codePointAt(0) ?? 0) - (right[index]?.codePointAt(0) ?? 0);
		if (order) return order;
	}
	return left.length - right.length;
}

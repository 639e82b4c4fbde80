/** Methods used by every loop over a session tree. */
const COUNTED = [
	[Map.prototype, 'get'],
	[Map.prototype, 'set'],
	[Map.prototype, 'has'],
	[Set.prototype, 'has'],
	[Set.prototype, 'add'],
	[Array.prototype, 'push']
] as const;

/** Limits work to a number of steps: endless work throws instead. */
export async function countSteps(most: number, work: () => unknown): Promise<number> {
	let steps = 0;
	const originals = COUNTED.map(([target, name]) => Object.getOwnPropertyDescriptor(target, name)!);
	COUNTED.forEach(([target, name], index) => {
		const original = originals[index]!.value as (...args: unknown[]) => unknown;
		Object.defineProperty(target, name, {
			...originals[index],
			value(this: unknown, ...args: unknown[]) {
				steps++;
				if (steps > most) throw new Error(`more than ${most} steps`);
				return original.apply(this, args);
			}
		});
	});
	try {
		await work();
	} finally {
		COUNTED.forEach(([target, name], index) => Object.defineProperty(target, name, originals[index]!));
	}
	return steps;
}

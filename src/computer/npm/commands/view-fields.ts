/** Value of a field with its path, which includes list indexes. */
export type FieldValue = readonly [path: string, value: unknown];

/** Splits `a.b[0]["c.d"]` into steps. */
function stepsOf(path: string): string[] {
	const steps = path.match(/\[[^\]]*\]|[^.[\]]+/g) ?? [];
	return steps.map((step) => (step.startsWith('[') ? step.slice(1, -1).replace(/^(["'])(.*)\1$/, '$2') : step));
}

/**
 * Finds values of a field as `npm view` does: a name below a list stands for that name in each of its entries, and a
 * list with one entry for the entry.
 *
 * @param joins true: replaces lists with one entry by the entry, as in output for humans
 */
export function fieldValues(data: unknown, path: string, joins: boolean): FieldValue[] {
	let found: FieldValue[] = [['', data]];
	for (const step of stepsOf(path)) found = found.flatMap((value) => below(value, step, joins));
	return found
		.map(([at, value]): FieldValue => [at, joins ? soleEntry(value) : value])
		.filter(([, value]) => value !== undefined);
}

function below([at, value]: FieldValue, step: string, joins: boolean): FieldValue[] {
	const from = joins ? soleEntry(value) : value;
	const isPlace = /^\d+$/.test(step);
	if (Array.isArray(from) && !isPlace)
		return from.flatMap((entry: unknown, place) => below([`${at}[${place}]`, entry], step, joins));
	// Index 0 of a list with one entry, which was replaced by the entry.
	if (isPlace && Array.isArray(value) && !Array.isArray(from)) return step === '0' ? [[at, from]] : [];
	if (typeof from !== 'object' || from === null || !Object.hasOwn(from, step)) return [];
	return [[Array.isArray(from) ? `${at}[${step}]` : at === '' ? step : `${at}.${step}`, Reflect.get(from, step)]];
}

function soleEntry(value: unknown): unknown {
	return Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value;
}

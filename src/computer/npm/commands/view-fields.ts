/** Value of a field with its path, which names places in lists. */
export type FieldValue = readonly [path: string, value: unknown];

/** Steps of `a.b[0]["c.d"]`. */
function stepsOf(path: string): string[] {
	const steps = path.match(/\[[^\]]*\]|[^.[\]]+/g) ?? [];
	return steps.map((step) => (step.startsWith('[') ? step.slice(1, -1).replace(/^(["'])(.*)\1$/, '$2') : step));
}

/**
 * Values of a field as `npm view` finds them: a name below a list stands for that name in each of its entries, and a
 * list of one entry for the entry.
 *
 * @param joins true: lists of one entry are their entry, as in output for people
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
	// The first place of a list of one, which is its entry by now.
	if (isPlace && Array.isArray(value) && !Array.isArray(from)) return step === '0' ? [[at, from]] : [];
	if (typeof from !== 'object' || from === null || !Object.hasOwn(from, step)) return [];
	return [[Array.isArray(from) ? `${at}[${step}]` : at === '' ? step : `${at}.${step}`, Reflect.get(from, step)]];
}

function soleEntry(value: unknown): unknown {
	return Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value;
}

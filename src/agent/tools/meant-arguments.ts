import type { z } from 'zod';

type Path = readonly PropertyKey[];

/**
 * Arguments with the values replaced that a schema refuses for their type alone and that can mean one thing only:
 * `"5"` for a number, `"true"` for a boolean, JSON text for a list or an object, `null` for what may be left out.
 * The rest stays as it is, for the schema to refuse.
 *
 * @param issues what the schema says about `args`
 */
export function asMeant(args: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
	let meant = args;
	for (const issue of issues) {
		if (issue.code === 'invalid_type') meant = replaced(meant, issue.path, (value) => converted(value, issue.expected));
		// Lists of allowed values are issues of their own.
		if (issue.code === 'invalid_value' || issue.code === 'invalid_union')
			meant = replaced(meant, issue.path, (value) => (value === null ? undefined : value));
	}
	return meant;
}

function converted(value: unknown, expected: string): unknown {
	if (value === null) return undefined;
	if (typeof value !== 'string') return value;
	switch (expected) {
		case 'number':
		case 'int':
			return /^\s*-?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value;
		case 'boolean':
			return value === 'true' ? true : value === 'false' ? false : value;
		case 'array':
		case 'object':
		case 'record':
			return fromJson(value) ?? value;
		default:
			return value;
	}
}

/** The list or object that a text is; `null` for any other. */
function fromJson(text: string): object | null {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === 'object' ? value : null;
	} catch {
		return null;
	}
}

/** A copy in which the value at `path` is another; without it where that is `undefined`. */
function replaced(within: unknown, path: Path, change: (value: unknown) => unknown): unknown {
	const [key, ...rest] = path;
	if (key === undefined) return change(within);
	if (Array.isArray(within)) return within.map((each, index) => (index === key ? replaced(each, rest, change) : each));
	if (typeof within !== 'object' || within === null) return within;
	const entries = Object.entries(within).map(([name, value]): [string, unknown] => [
		name,
		name === key ? replaced(value, rest, change) : value
	]);
	return Object.fromEntries(entries.filter(([name, value]) => name !== key || value !== undefined));
}

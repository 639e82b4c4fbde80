import type { z } from 'zod';

type Path = readonly PropertyKey[];

/**
 * Corrects values that a schema refuses only for their type and whose meaning is unambiguous: `"5"` for a number,
 * `"true"` for a boolean, JSON text for a list or an object, `null` for an optional value. Other values are unchanged,
 * so that the schema refuses them.
 *
 * @param issues issues that the schema found in `args`
 */
export function asMeant(args: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
	let meant = args;
	for (const issue of issues) {
		if (issue.code === 'invalid_type') meant = replaced(meant, issue.path, (value) => converted(value, issue.expected));
		// Enumerations and unions report other issue codes.
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

/** Parses a text that is a JSON list or object; `null` for anything else. */
function fromJson(text: string): object | null {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === 'object' ? value : null;
	} catch {
		return null;
	}
}

/** Returns a copy with the value at `path` replaced, or removed if the new value is `undefined`. */
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

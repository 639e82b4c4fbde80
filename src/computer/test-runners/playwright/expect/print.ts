import { diffArrays } from 'diff';

const INDENT = '  ';
const MAX_LEVELS = 10;

/** Formats a value as jest does in one line: `{"a": 1}`. */
export function inLine(value: unknown): string {
	return printed(value, 0, false, []);
}

/** Formats a value as jest does in a diff, one member per line. */
export function inLines(value: unknown): string {
	return printed(value, 0, true, []);
}

function printed(value: unknown, level: number, isLong: boolean, above: unknown[]): string {
	if (typeof value === 'string') return JSON.stringify(value);
	if (typeof value === 'bigint') return `${value}n`;
	if (typeof value === 'function') return `[Function ${value.name || 'anonymous'}]`;
	if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? '-0' : String(value);
	if (value instanceof RegExp) return String(value);
	if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Date { NaN }' : value.toISOString();
	if (value instanceof Error) return `[${value.name}: ${value.message}]`;
	if ('asymmetricMatch' in value) return asymmetric(value);
	if (above.includes(value)) return '[Circular]';
	const within = [...above, value];
	const name = value.constructor?.name ?? 'Object';
	if (level > MAX_LEVELS) return `[${name}]`;
	const item = (each: unknown): string => printed(each, level + 1, isLong, within);
	if (Array.isArray(value)) return brackets(value.map(item), '[', ']', isLong ? 'Array ' : '', level, isLong);
	if (value instanceof Set) return brackets([...value].map(item), '{', '}', 'Set ', level, isLong);
	if (value instanceof Map)
		return brackets(
			[...value].map(([key, each]) => `${item(key)} => ${item(each)}`),
			'{',
			'}',
			'Map ',
			level,
			isLong
		);
	const members = Object.keys(value)
		.sort()
		.map((key) => `${JSON.stringify(key)}: ${item(Reflect.get(value, key))}`);
	return brackets(members, '{', '}', isLong || name !== 'Object' ? `${name} ` : '', level, isLong);
}

function brackets(items: string[], open: string, close: string, name: string, level: number, isLong: boolean): string {
	if (items.length === 0) return `${name}${open}${close}`;
	if (!isLong) return `${name}${open}${items.join(', ')}${close}`;
	const margin = INDENT.repeat(level + 1);
	return `${name}${open}\n${items.map((each) => `${margin}${each},\n`).join('')}${INDENT.repeat(level)}${close}`;
}

function asymmetric(value: object): string {
	const print: unknown = Reflect.get(value, 'toAsymmetricMatcher');
	return typeof print === 'function' ? String(print.call(value)) : String(value);
}

/** Formats expected and received values, as a line diff if they are long. */
export function difference(
	expected: unknown,
	received: unknown,
	labels: [string, string] = ['Expected', 'Received']
): string {
	const [a, b] = [inLines(expected), inLines(received)];
	const isShort = !a.includes('\n') && !b.includes('\n');
	if (isShort || a === b) {
		const width = Math.max(...labels.map((label) => label.length)) + 2;
		const line = (label: string, value: unknown): string => `${`${label}:`.padEnd(width)}${inLine(value)}`;
		return a === b
			? `${line(labels[0], expected)}\n${'Received:'.padEnd(width)}serializes to the same string`
			: `${line(labels[0], expected)}\n${line(labels[1], received)}`;
	}
	const parts = diffArrays(a.split('\n'), b.split('\n'));
	const count = (key: 'added' | 'removed'): number =>
		parts.filter((part) => part[key]).reduce((sum, { value }) => sum + value.length, 0);
	const lines = parts.flatMap(({ value, added, removed }) =>
		value.map((line) => `${removed ? '-' : added ? '+' : ' '} ${line}`)
	);
	return `- Expected  - ${count('removed')}\n+ Received  + ${count('added')}\n\n${lines.join('\n')}`;
}

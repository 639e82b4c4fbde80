import { diffArrays } from 'diff';
import { inspect } from 'node-inspect-extracted';

export interface AssertionOptions {
	message?: string;
	actual?: unknown;
	expected?: unknown;
	operator: string;
}

const HEADLINES: Record<string, string> = {
	deepStrictEqual: 'Expected values to be strictly deep-equal:',
	strictEqual: 'Expected values to be strictly equal:',
	strictEqualObject: 'Expected "actual" to be reference-equal to "expected":',
	deepEqual: 'Expected values to be loosely deep-equal:',
	notDeepStrictEqual: 'Expected "actual" not to be strictly deep-equal to:',
	notStrictEqual: 'Expected "actual" to be strictly unequal to:',
	notStrictEqualObject: 'Expected "actual" not to be reference-equal to "expected":',
	notDeepEqual: 'Expected "actual" not to be loosely deep-equal to:',
	notIdentical: 'Values have same structure but are not reference-equal:',
	partialDeepStrictEqual: 'Expected values to be partially and strictly deep-equal:'
};

/** `assert.AssertionError`. */
export class AssertionError extends Error {
	readonly code = 'ERR_ASSERTION';
	readonly generatedMessage: boolean;
	actual: unknown;
	expected: unknown;
	operator: string;

	constructor(options: AssertionOptions) {
		super(options.message ?? describe(options));
		Object.defineProperty(this, 'name', {
			value: 'AssertionError [ERR_ASSERTION]',
			configurable: true,
			writable: true
		});
		void this.stack;
		Object.defineProperty(this, 'name', { value: 'AssertionError', configurable: true, writable: true });
		this.generatedMessage = options.message === undefined;
		this.actual = options.actual;
		this.expected = options.expected;
		this.operator = options.operator;
	}

	override toString(): string {
		return `${this.name} [${this.code}]: ${this.message}`;
	}
}

export function inspectValue(value: unknown): string {
	return inspect(value, {
		compact: false,
		customInspect: false,
		depth: 1000,
		maxArrayLength: Infinity,
		showHidden: false,
		showProxy: false,
		sorted: true,
		getters: true,
		breakLength: Infinity
	});
}

function describe({ actual, expected, operator }: AssertionOptions): string {
	if (operator === 'deepStrictEqual' || operator === 'strictEqual' || operator === 'partialDeepStrictEqual') {
		return difference(actual, expected, operator);
	}
	if (operator === 'notDeepStrictEqual' || operator === 'notStrictEqual') {
		const reference = operator === 'notStrictEqual' && isObject(actual);
		const head = HEADLINES[reference ? 'notStrictEqualObject' : operator] ?? '';
		const lines = inspectValue(actual).split('\n');
		if (lines.length === 1) return `${head}${(lines[0] ?? '').length > 5 ? '\n\n' : ' '}${lines[0]}`;
		return `${head}\n\n${clip(lines, 50).join('\n')}\n`;
	}
	const [left, right] = [inspectValue(actual), inspectValue(expected)];
	if (operator === 'deepEqual') return `${HEADLINES['deepEqual']}\n\n${left}\n\nshould loosely deep-equal\n\n${right}`;
	if (operator === 'notDeepEqual')
		return `${HEADLINES['notDeepEqual']}\n\n${left}\n\nshould not loosely deep-equal\n\n${right}`;
	return `${left} ${operator} ${right}`;
}

function difference(actual: unknown, expected: unknown, operator: string): string {
	const [left, right] = [inspectValue(actual).split('\n'), inspectValue(expected).split('\n')];
	let kind = operator;
	if (operator === 'strictEqual' && isObject(actual) && isObject(expected)) kind = 'strictEqualObject';
	if (left.join('\n') === right.join('\n') && isObject(actual) && isObject(expected)) {
		return `${HEADLINES['notIdentical']}\n\n${clip(left, 50).join('\n')}\n`;
	}
	const head = HEADLINES[kind] ?? HEADLINES['strictEqual'] ?? '';
	if (left.length === 1 && right.length === 1 && left[0] !== right[0] && !(isObject(actual) && isObject(expected))) {
		const [a = '', b = ''] = [left[0], right[0]];
		if (a.length + b.length <= 12 && actual !== 0 && expected !== 0) return `${head}\n\n${a} !== ${b}\n`;
		if (a.length + b.length <= 12) return `${head}\n\n${a} !== ${b}\n`;
		return `${head}\n+ actual - expected\n\n+ ${a}\n- ${b}\n${pointer(a, b)}`;
	}
	const lines = diffArrays(left, right).flatMap((part) =>
		part.value.map((line) => `${part.added ? '-' : part.removed ? '+' : ' '} ${line}`)
	);
	const shown = skipEqual(lines);
	const skipped = shown.length < lines.length ? '\n... Skipped lines' : '';
	return `${head}\n+ actual - expected${skipped}\n\n${shown.join('\n')}\n`;
}

/** Marks, below two short strings, where they begin to differ. */
function pointer(a: string, b: string): string {
	let at = 0;
	while (at < a.length && a[at] === b[at]) at++;
	return at > 2 && typeof a === 'string' ? `${' '.repeat(at + 2)}^\n` : '';
}

function skipEqual(lines: string[]): string[] {
	const near = (index: number) => lines.slice(Math.max(0, index - 2), index + 3).some((line) => !line.startsWith(' '));
	const result: string[] = [];
	for (let index = 0; index < lines.length; index++) {
		if (near(index) || (lines[index] ?? '').length === 0) {
			result.push(lines[index] ?? '');
			continue;
		}
		let end = index;
		while (end < lines.length && !near(end)) end++;
		if (end - index <= 3) result.push(...lines.slice(index, end));
		else result.push(lines[index] ?? '', '...', lines[end - 1] ?? '');
		index = end - 1;
	}
	return clip(result, 200);
}

function clip(lines: string[], most: number): string[] {
	return lines.length > most ? [...lines.slice(0, most - 3), '...'] : lines;
}

const isObject = (value: unknown) => (typeof value === 'object' && value !== null) || typeof value === 'function';

import { inspect } from 'node-inspect-extracted';
import type { FailureType } from './failure-type.ts';

/** Failures whose cause is an error of the program, which is shown instead of Node's own. */
const OF_PROGRAM: ReadonlySet<FailureType> = new Set(['testCodeFailure', 'hookFailed']);

/** Lines of YAML about a failure, as in TAP, without indentation. */
export function errorDetails(error: Error, failureType: FailureType, cause: unknown): string {
	const shown = OF_PROGRAM.has(failureType) ? Object(cause ?? {}) : {};
	const read = (name: string): unknown => Reflect.get(shown as object, name);
	const seen = new Set<unknown>([error]);
	const name = read('name');
	const isAssertion = typeof shown === 'object' && 'expected' in shown && 'actual' in shown;
	const stack = read('stack') ?? error.stack;
	return [
		yaml('failureType', failureType, seen),
		yaml('error', read('message') ?? error.message, seen),
		yaml('code', read('code') ?? 'ERR_TEST_FAILURE', seen),
		name && name !== 'Error' ? yaml('name', name, seen) : '',
		isAssertion ? yaml('expected', read('expected'), new Set(seen)) : '',
		isAssertion ? yaml('actual', read('actual'), new Set(seen)) : '',
		isAssertion && read('operator') ? yaml('operator', read('operator'), seen) : '',
		typeof stack === 'string' ? frames(stack) : ''
	].join('');
}

function frames(stack: string): string {
	const lines = stack.split(/\r?\n/).flatMap((line) => /^ {4}at (.+)$/.exec(line)?.[1] ?? []);
	return lines.length === 0 ? '' : `stack: |-\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

/** A property as YAML; objects are nested, text of several lines is a block. */
function yaml(name: string, value: unknown, seen: Set<unknown>): string {
	if (value === undefined) return '';
	if (value === null) return `${name}: ~\n`;
	if (typeof value !== 'object') {
		const lines = typeof value === 'string' ? value.split(/\r?\n/) : [];
		if (lines.length > 1) return `${name}: |-\n${lines.map((line) => `  ${line}\n`).join('')}`;
		return `${name}: ${inspect(value, { breakLength: Infinity })}\n`;
	}
	seen.add(value);
	const inside = Object.entries(value).map(([key, one]: [string, unknown]) =>
		seen.has(one) ? `${key}: <Circular>\n` : yaml(key, one, seen)
	);
	const date = value instanceof Date ? ` ${value.toISOString()}` : '';
	return `${name}:${date}\n${inside.join('').replace(/^/gm, '  ').replace(/ {2}$/, '')}`;
}

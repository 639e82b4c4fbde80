import { concat, decode } from './bytes.ts';
import type { Invocation } from './invocation.ts';

const READ_BYTES = 64 * 1024;

/**
 * Lines of stdin, each as soon as it has come: who writes them may wait for the answer.
 *
 * @param end of a line: a newline, or a zero byte
 */
export function* inputLines({ context }: Pick<Invocation, 'context'>, end: '\n' | '\0' = '\n'): Generator<string> {
	const mark = end.charCodeAt(0);
	let parts: Uint8Array[] = [];
	for (let bytes = context.sync.read(0, READ_BYTES); bytes.length > 0; bytes = context.sync.read(0, READ_BYTES)) {
		let from = 0;
		for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, from)) {
			yield decode(concat([...parts, bytes.subarray(from, at)]));
			parts = [];
			from = at + 1;
		}
		if (from < bytes.length) parts.push(bytes.slice(from));
	}
	if (parts.length > 0) yield decode(concat(parts));
}

import { decode } from '../bytes.ts';
import type { Invocation } from '../invocation.ts';
import { readPackets } from './packet.ts';

/** Refs from stdin, one per line, or one per packet for the stateless protocol. */
export function inputRefs(git: Invocation, isStateless: boolean): string[] {
	const input = git.input();
	const lines = isStateless ? readPackets(input, true).lines : decode(input).split('\n');
	return lines.flatMap((line) => (line === null || line === '' ? [] : [line]));
}

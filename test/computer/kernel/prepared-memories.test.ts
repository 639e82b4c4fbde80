import { expect, it } from 'vitest';
import { PREPARED_BYTES } from '#computer/abi/limits.ts';
import { PreparedMemories } from '#computer/kernel/processes/prepared-memories.ts';
import { READ_ONLY_RIGHTS, type Rights } from '#environment/contract.ts';

const only = (host: string): Rights => ({ ...READ_ONLY_RIGHTS, network: [host] });

it('gives programs of the same rights one memory, and others another', () => {
	const memories = new PreparedMemories();
	const all = memories.of(null);
	expect(memories.of(null)).toBe(all);
	const less = memories.of({ ...READ_ONLY_RIGHTS });
	expect(less).not.toBe(all);
	expect(memories.of({ ...READ_ONLY_RIGHTS })).toBe(less);
	expect(memories.of(only('registry.npmjs.org'))).not.toBe(less);
	memories.forget();
	expect(memories.of(null)).not.toBe(all);
});

it('takes a new one before the old one is full, and for a number that a program has made up', () => {
	for (const used of [PREPARED_BYTES.most, -1]) {
		const memories = new PreparedMemories();
		const first = memories.of(null)!;
		new Int32Array(first)[0] = used;
		expect(memories.of(null)).not.toBe(first);
	}
});

it('keeps the memories of the last eight sets of rights', () => {
	const memories = new PreparedMemories();
	const first = memories.of(only('0.example'));
	const second = memories.of(only('1.example'));
	for (let host = 2; host < 9; host++) memories.of(only(`${host}.example`));
	expect(memories.of(only('1.example'))).toBe(second);
	expect(memories.of(only('0.example'))).not.toBe(first);
});

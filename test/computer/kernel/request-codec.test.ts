import fc from '#test/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { readRequest, RequestWriter } from '#computer/abi/request-codec.ts';
import type { SyscallName } from '#computer/abi/syscalls.ts';

const argument = fc.oneof(
	fc.string({ unit: 'binary' }),
	fc.string({ minLength: 500, maxLength: 600 }),
	fc.integer(),
	fc.double({ noNaN: true }),
	fc.boolean(),
	fc.constant(undefined),
	fc.uint8Array({ maxLength: 50 }),
	fc.record({ mode: fc.integer(), recursive: fc.boolean() })
);

const put = (memory: Uint8Array, name: SyscallName, args: unknown[]) => new RequestWriter(memory).put(name, args);

describe('a synchronous call in shared memory', () => {
	it('arrives as it was made', () => {
		fc.assert(
			fc.property(fc.array(argument, { maxLength: 4 }), (args) => {
				const memory = new Uint8Array(new SharedArrayBuffer(4_000));
				const length = put(memory, 'writeFile', args);
				expect(length).toBeGreaterThan(0);
				expect(readRequest(memory.slice(0, length))).toEqual({ name: 'writeFile', args });
			})
		);
	});

	it('goes as a message when it does not fit or has bytes inside a record', () => {
		const memory = new Uint8Array(100);
		expect(put(memory, 'writeFile', ['/workspace/a', new Uint8Array(100)])).toBe(0);
		expect(put(memory, 'stat', ['/'.repeat(100)])).toBe(0);
		expect(put(memory, 'stat', ['é'.repeat(50)])).toBe(0);
		expect(put(memory, 'utimes', ['/workspace/a', ...Array<number>(12).fill(1)])).toBe(0);
		expect(put(memory, 'run', [{ argv: ['cat'], cwd: '/', env: {}, input: new Uint8Array(1) }])).toBe(0);
	});

	it('is none when anything else stands there, however it is cut or changed', () => {
		fc.assert(fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => void readRequest(bytes)));
		const memory = new Uint8Array(200);
		const length = put(memory, 'writeFile', ['/workspace/a', new Uint8Array(3), { mode: 1 }]);
		for (let cut = 0; cut < length; cut++) expect(readRequest(memory.slice(0, cut))).toBeNull();
		fc.assert(
			fc.property(fc.nat(length - 1), fc.nat(255), (at, value) => {
				const changed = memory.slice(0, length);
				changed[at] = value;
				// Its result is never longer than what was sent, and nothing is thrown.
				const args = readRequest(changed)?.args ?? [];
				expect(args.length).toBeLessThanOrEqual(length);
				for (const arg of args)
					if (arg instanceof Uint8Array) expect(arg.buffer.byteLength).toBeLessThanOrEqual(length);
			})
		);
		expect(readRequest(new Uint8Array([255, 255, 255, 255]))).toBeNull();
	});
});

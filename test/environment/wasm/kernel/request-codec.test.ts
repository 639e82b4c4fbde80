import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { putRequest, readRequest } from '../../../../src/environment/wasm/process/request-codec.ts';

const argument = fc.oneof(
	fc.string({ unit: 'binary' }),
	fc.integer(),
	fc.constant(undefined),
	fc.uint8Array({ maxLength: 50 }),
	fc.record({ mode: fc.integer(), recursive: fc.boolean() })
);

describe('a synchronous call in shared memory', () => {
	it('arrives as it was made', () => {
		fc.assert(
			fc.property(fc.array(argument, { maxLength: 4 }), (args) => {
				const memory = new Uint8Array(2_000);
				const length = putRequest(memory, 'writeFile', args);
				expect(length).toBeGreaterThan(0);
				expect(readRequest(memory.slice(0, length))).toEqual({ name: 'writeFile', args });
			})
		);
	});

	it('goes as a message when it does not fit or has bytes inside a record', () => {
		const memory = new Uint8Array(100);
		expect(putRequest(memory, 'writeFile', ['/workspace/a', new Uint8Array(100)])).toBe(0);
		expect(putRequest(memory, 'run', [{ argv: ['cat'], cwd: '/', env: {}, input: new Uint8Array(1) }])).toBe(0);
	});

	it('is none when anything else stands there', () => {
		fc.assert(fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => void readRequest(bytes)));
		const memory = new Uint8Array(200);
		const length = putRequest(memory, 'appendFile', ['/workspace/a', new Uint8Array(3)]);
		expect(readRequest(memory.slice(0, length - 1))).toBeNull();
		expect(readRequest(new Uint8Array([255, 255, 255, 255]))).toBeNull();
	});
});

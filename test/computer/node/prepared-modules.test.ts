import { describe, expect, it } from 'vitest';
import { PreparedModules } from '#computer/node/loader/prepared-modules.ts';
import { prepareEsModule } from '#computer/node/loader/transform.ts';

const CODE = "import { join } from 'node:path';\nexport const name = join('ä', '日本');\nexport * from './other.js';\n";
const memory = (most = 1024 * 1024) => new SharedArrayBuffer(16, { maxByteLength: most });
const used = (shared: SharedArrayBuffer) => new Int32Array(shared)[0];

describe('modules that the programs of a session prepare', () => {
	it('are the same as those that each prepares by itself', () => {
		const shared = memory();
		const expected = prepareEsModule(CODE, '/workspace/a.js');
		for (const program of [new PreparedModules(shared), new PreparedModules(shared), new PreparedModules()]) {
			expect(program.prepare(CODE, '/workspace/a.js')).toEqual(expected);
		}
	});

	it('are prepared by the first of them', () => {
		const shared = memory();
		const [one, other] = [new PreparedModules(shared), new PreparedModules(shared)];
		one.prepare(CODE, '/workspace/a.js');
		const after = used(shared);
		other.prepare(CODE, '/workspace/a.js');
		one.prepare(CODE, '/workspace/a.js');
		expect(used(shared)).toBe(after);
		// Another text of the same file, and the same text of a file in another language.
		other.prepare(CODE.replace('name', 'same'), '/workspace/a.js');
		other.prepare(CODE, '/workspace/a.ts');
		expect(used(shared)).toBeGreaterThan(Number(after));
		expect(one.prepare(CODE.replace('name', 'same'), '/workspace/a.js').exports).toContain('same');
		expect(one.prepare(CODE, '/workspace/a.ts').typescript).toBe(true);
	});

	it('are passed over where their program was killed before it had written them', () => {
		const shared = memory();
		const one = new PreparedModules(shared);
		one.prepare(CODE, '/workspace/a.js');
		const words = new Int32Array(shared);
		// The mark of a complete record.
		words[3] = 0;
		const other = new PreparedModules(shared);
		const expected = prepareEsModule(CODE, '/workspace/a.js');
		expect(other.prepare(CODE, '/workspace/a.js')).toEqual(expected);
		const after = used(shared);
		expect(one.prepare(CODE, '/workspace/a.js')).toEqual(expected);
		expect(new PreparedModules(shared).prepare(CODE, '/workspace/a.js')).toEqual(expected);
		expect(used(shared)).toBe(after);
	});

	it('are prepared again where a program has written something else', () => {
		const expected = prepareEsModule(CODE, '/workspace/a.js');
		for (const wrong of ['not json', '{}', 'null', JSON.stringify({ ...expected, imports: [null] })]) {
			const shared = memory();
			new PreparedModules(shared).prepare(CODE, '/workspace/a.js');
			const bytes = new Uint8Array(shared);
			const [size = 0, , keyBytes = 0] = new Int32Array(shared, 8, 3);
			const from = 8 + 12 + keyBytes;
			bytes.fill(0x20, from, 8 + size);
			bytes.set(new TextEncoder().encode(wrong).subarray(0, size - 12 - keyBytes), from);
			expect(new PreparedModules(shared).prepare(CODE, '/workspace/a.js')).toEqual(expected);
		}
	});

	it('are not shared any more once the memory is full', () => {
		const shared = memory(2048);
		const program = new PreparedModules(shared);
		for (let file = 0; file < 50; file++) {
			const code = `export const value${file} = ${file};\n`;
			expect(program.prepare(code, `/workspace/${file}.js`)).toEqual(prepareEsModule(code, `/workspace/${file}.js`));
		}
		expect(used(shared)).toBeLessThanOrEqual(2048);
	});

	it('report what is wrong with a text to each that asks', () => {
		const shared = memory();
		for (const program of [new PreparedModules(shared), new PreparedModules(shared)]) {
			expect(() => program.prepare('import { from', '/workspace/a.js')).toThrow(SyntaxError);
		}
	});
});

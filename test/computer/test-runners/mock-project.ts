/** A small project whose tests mock modules in common ways. Real vitest and our runner must give the same report. */
export const files: Record<string, string> = {
	'package.json': JSON.stringify({ name: 'mocks', type: 'module', scripts: { test: 'vitest run' } }),
	'vitest.config.js': "export default { test: { include: ['test/**/*.test.ts'] } };\n",
	'src/db.ts': `import { readFileSync } from 'node:fs';
export const limit = 10;
export const rows = ['a', 'b'];
export function query(sql: string): string { return 'real ' + sql; }
export async function load(): Promise<string> { return readFileSync('/nowhere', 'utf8'); }
export class Table { name = 'real'; count(): number { return 7; } }
export default function connect(): string { return 'real connection'; }
`,
	'src/passes.ts': "export { query } from './db';\nexport * from './math';\n",
	'src/math.ts':
		'export const add = (a: number, b: number): number => a + b;\nexport const twice = (n: number): number => add(n, n);\n',
	'src/report.ts': `import connect, { query } from './db';
import * as math from './math';
export const report = (): string => connect() + ': ' + query('select') + ' ' + math.add(1, 2);
`,
	'src/__mocks__/clock.ts': "export const now = (): string => 'noon';\n",
	'src/clock.ts': "export const now = (): string => 'midnight';\n",
	'test/factory.test.ts': `import { expect, it, vi } from 'vitest';
import { report } from '../src/report';
import connect, { query } from '../src/db';

const { answer } = vi.hoisted(() => ({
	answer: vi.fn(() => 'mocked'), // a comment: { [
}));
vi.mock('../src/db', () => ({
	default: () => 'mocked connection',
	query: answer
}));

it('replaces a module for all that import it', () => {
	expect(report()).toBe('mocked connection: mocked 3');
	expect(answer).toHaveBeenCalledWith('select');
	expect(connect()).toBe('mocked connection');
	expect(vi.isMockFunction(query)).toBe(true);
});

it('says where a test failed, on its own line', () => {
	expect(new Error('here').stack).toMatch(/factory\\.test\\.ts:21/);
});

it('takes an inline snapshot', () => {
	expect(report()).toMatchInlineSnapshot(\`"mocked connection: mocked 3"\`);
});
`,
	'test/partial.test.ts': `import { describe, expect, it, vi } from 'vitest'
import { add, twice } from '../src/math'
import { query } from '../src/passes'

vi.mock('../src/math', async (importOriginal) => {
	const real = await importOriginal<typeof import('../src/math')>()
	return { ...real, add: vi.fn((a: number) => a * 100) }
})
vi.mock(import('../src/db'), () => ({ query: () => 'passed on' }))

describe.each([[1, 100], [2, 200]])('with %i', (given, wanted) => {
	it('replaces a part of a module', () => {
		expect(add(given, 1)).toBe(wanted)
		expect(twice(given)).toBe(given * 2)
	})
})
it('reaches what another module passes on', () => expect(query('x')).toBe('passed on'))
it('has the module itself beside it', async () => {
	const real = await vi.importActual<typeof import('../src/math')>('../src/math')
	expect(real.add(1, 1)).toBe(2)
})
it('names the export that a factory left out', async () => {
	const db = await import('../src/db')
	expect(() => db.limit).toThrow(/No "limit" export is defined on the .*db.* mock/)
})
`,
	'test/automock.test.ts': `import { expect, it, vi } from 'vitest';
import connect, { limit, load, query, rows, Table } from '../src/db';
import { now } from '../src/clock';
import fs from 'node:fs';

vi.mock('../src/db');
vi.mock('../src/clock');
vi.mock('node:fs', () => ({ default: { readFileSync: () => 'a file' } }));

it('keeps values and empties functions', async () => {
	expect([connect(), query('x'), await load(), limit, rows]).toEqual([undefined, undefined, undefined, 10, []]);
	vi.mocked(query).mockReturnValue('told');
	expect(query('x')).toBe('told');
	expect(query).toHaveBeenCalledTimes(2);
});
it('replaces classes', () => {
	const table = new Table();
	expect(table.count()).toBeUndefined();
	vi.mocked(table.count).mockReturnValue(3);
	expect(table.count()).toBe(3);
});
it('takes what stands in __mocks__', () => expect(now()).toBe('noon'));
it('replaces a module of Node', () => expect(fs.readFileSync('x')).toBe('a file'));
`,
	'test/later.test.ts': `import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => {
	vi.doUnmock('../src/math');
	vi.resetModules();
});
it.each([5, 6])('replaces what is imported from then on by %i', async (sum) => {
	vi.doMock('../src/math', () => ({ add: () => sum }));
	const { report } = await import('../src/report');
	expect(report()).toContain(String(sum));
});
it('gives the module back', async () => {
	const { report } = await import('../src/report');
	expect(report()).toBe('real connection: real select 3');
});
`,
	'test/awaits.test.ts': `import { expect, test, vi } from 'vitest';
import { add } from '../src/math';
vi.mock('../src/math', () => ({ add: () => 'early' }));
const found = await Promise.resolve(add(1, 2));
test('replaces modules for a file that awaits', () => expect(found).toBe('early'));
`,
	'test/too-late.test.ts': `import { expect, it, vi } from 'vitest';
import { add } from '../src/math';
const value = 1;
vi.mock('../src/math', () => ({ add: value }));
it('is never run', () => expect(add).toBe(1));
`
};

/** File, then its tests with their results; none for a file that cannot be run. */
export const expected: Record<string, Record<string, 'passed' | 'failed'>> = {
	'test/automock.test.ts': {
		'keeps values and empties functions': 'passed',
		'replaces classes': 'passed',
		'takes what stands in __mocks__': 'passed',
		'replaces a module of Node': 'passed'
	},
	'test/awaits.test.ts': { 'replaces modules for a file that awaits': 'passed' },
	'test/factory.test.ts': {
		'replaces a module for all that import it': 'passed',
		'says where a test failed, on its own line': 'passed',
		'takes an inline snapshot': 'passed'
	},
	'test/later.test.ts': {
		'replaces what is imported from then on by 5': 'passed',
		'replaces what is imported from then on by 6': 'passed',
		'gives the module back': 'passed'
	},
	'test/partial.test.ts': {
		'with 1 replaces a part of a module': 'passed',
		'with 2 replaces a part of a module': 'passed',
		'reaches what another module passes on': 'passed',
		'has the module itself beside it': 'passed',
		'names the export that a factory left out': 'passed'
	},
	'test/too-late.test.ts': {}
};

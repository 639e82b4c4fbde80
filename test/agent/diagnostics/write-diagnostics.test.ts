import { describe, expect, it } from 'vitest';
import { WriteDiagnostics } from '#agent/diagnostics/write-diagnostics.ts';
import type { ChangedFile } from '#agent/file-changes.ts';
import type { ToolResult } from '#agent/tool.ts';
import type { DiagnosticsService, ExecutionEnvironment, FileEdit, Problem } from '#environment/contract.ts';

type Answer = Awaited<ReturnType<DiagnosticsService['newProblems']>>;

/** Diagnostics from a service with the given answer; `null` if the environment has none. */
function diagnostics(answer: ((edits: readonly FileEdit[]) => Answer) | null = () => ({ problems: [] })) {
	const prepared: string[] = [];
	const asked: { edits: readonly FileEdit[]; options: unknown }[] = [];
	const emitted: object[] = [];
	const service: DiagnosticsService = {
		prepare: (paths) => void prepared.push(...paths),
		newProblems: async (edits, options) => {
			asked.push({ edits, options });
			return answer?.(edits) ?? { problems: [] };
		}
	};
	const environment = {
		workingDirectory: () => '/work',
		...(answer ? { diagnostics: service } : {})
	} as unknown as ExecutionEnvironment;
	const readBlob = async (blob: string) => {
		if (blob === 'gone') throw new Error('The blob is gone.');
		return new TextEncoder().encode(blob);
	};
	return {
		writes: new WriteDiagnostics(environment, readBlob, (body) => emitted.push(body)),
		prepared,
		asked,
		emitted
	};
}

const written: ToolResult = { content: 'written', isError: false };
const file = (path: string): ChangedFile => ({ path, before: 'old', after: 'new' });
const problem = (path: string, line: number, more: Partial<Problem> = {}): Problem => ({
	...{ path, line, column: 1, severity: 'error', message: `Wrong in line ${line}.` },
	...more
});

describe('a file that was read', () => {
	it('is prepared for its change, where there is one and a service to look at it', () => {
		const { writes, prepared } = diagnostics();
		writes.prepare({ ...written, details: { path: 'src/a.ts' } });
		writes.prepare({ ...written, details: { path: 'b.ts' }, isError: true });
		writes.prepare({ ...written, details: { count: 1 } });
		writes.prepare(written);
		expect(prepared).toEqual(['/work/src/a.ts']);
		diagnostics(null).writes.prepare({ ...written, details: { path: 'a.ts' } });
	});
});

describe('a file that was written', () => {
	it.each(['a.ts', 'a.mts', 'a.cts', 'a.js', 'a.cjs', 'a.tsx', 'a.jsx', 'a.json', 'a.py', 'a.pyi'])(
		'is looked at, with its text from before: %s',
		async (path) => {
			const { writes, asked } = diagnostics();
			expect(await writes.append(written, [file(`src/${path}`), file('notes.txt')])).toBe(written);
			const bytes = (text: string) => new TextEncoder().encode(text);
			expect(asked).toEqual([
				{
					edits: [{ path: `/work/src/${path}`, before: bytes('old'), after: bytes('new') }],
					options: { withinMs: 1_000 }
				}
			]);
		}
	);

	it.each(['a.md', 'ts', 'a.ts.bak', 'a.jsonc', 'a.xts', 'a.pyc', 'ats'])('is not looked at: %s', async (path) => {
		const { writes, asked } = diagnostics();
		await writes.append(written, [file(path)]);
		expect(asked).toEqual([]);
	});

	it('is new, or gone', async () => {
		const { writes, asked } = diagnostics();
		await writes.append(written, [
			{ path: 'new.ts', before: null, after: 'text' },
			{ path: 'gone.ts', before: 'text', after: null }
		]);
		expect(asked[0]?.edits.map(({ before, after }) => [before === null, after === null])).toEqual([
			[true, false],
			[false, true]
		]);
	});

	it('is one of thirty at most', async () => {
		const { writes, asked } = diagnostics();
		const many = Array.from({ length: 31 }, (_, index) => file(`${index}.ts`));
		await writes.append(written, many);
		expect(asked).toEqual([]);
		await writes.append(written, many.slice(1));
		expect(asked[0]?.edits).toHaveLength(30);
	});

	it('leaves the result as it is where nothing can be said', async () => {
		const fails = (): never => {
			throw new Error('The service is gone.');
		};
		for (const { writes } of [diagnostics(null), diagnostics(fails)])
			expect(await writes.append(written, [file('a.ts')])).toBe(written);
		const { writes, asked, emitted } = diagnostics();
		expect(await writes.append(written, [{ path: 'a.ts', before: 'gone', after: 'new' }])).toBe(written);
		expect(await writes.append(written, [])).toBe(written);
		expect([asked, emitted]).toEqual([[], []]);
	});
});

describe('problems', () => {
	it('are told to the model below the result, and to the page for each file', async () => {
		const { writes, emitted } = diagnostics(() => ({
			problems: [problem('/work/a.ts', 1, { code: 'TS1' }), problem('/work/b.ts', 2), problem('/work/a.ts', 3)]
		}));
		const { note, ...rest } = await writes.append(written, [file('a.ts')]);
		expect(rest).toEqual(written);
		expect(note).toContain('a.ts:1:1 error TS1: Wrong in line 1.\nb.ts:2:1 error: Wrong in line 2.\na.ts:3:1 error');
		const item = (line: number, more = {}) => ({
			...{ line, column: 1, severity: 'error', ...more },
			message: `Wrong in line ${line}.`
		});
		expect(emitted).toStrictEqual([
			{ type: 'diagnostics', path: 'a.ts', items: [item(1, { code: 'TS1' }), item(3)] },
			{ type: 'diagnostics', path: 'b.ts', items: [item(2)] }
		]);
	});

	it('are told to the page up to fifty of a file', async () => {
		const { writes, emitted } = diagnostics(() => ({
			problems: Array.from({ length: 60 }, (_, index) => problem('/work/a.ts', index + 1))
		}));
		await writes.append(written, [file('a.ts')]);
		expect(emitted).toMatchObject([{ items: { length: 50 } }]);
		expect(JSON.stringify(emitted)).toContain('line 50.');
	});

	it('show no key', async () => {
		const key = `ghp_${'a1B2'.repeat(9)}`;
		const { writes, emitted } = diagnostics(() => ({ problems: [problem('/work/a.ts', 1, { message: key })] }));
		const { note } = await writes.append(written, [file('a.ts')]);
		expect(JSON.stringify([note, emitted])).not.toContain(key);
		expect(note).toContain('secret left out');
	});

	it('come with a word about why there will be no more', async () => {
		const { writes, emitted } = diagnostics(() => ({ problems: [], notice: 'Too large.' }));
		expect(await writes.append(written, [file('a.ts')])).toBe(written);
		expect(emitted).toEqual([{ type: 'warning', code: 'diagnostics_off', message: 'Too large.' }]);
	});
});

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import fc from '#test/fast-check.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { parsePatch, pathsOfPatch } from '#agent/tools/apply-patch/parse.ts';
import { applyHunks } from '#agent/tools/apply-patch/match.ts';
import { planPatch } from '#agent/tools/apply-patch/plan.ts';
import { createApplyPatch } from '#agent/tools/apply-patch/tool.ts';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { DelegatingEnvironment } from '#environment/wrappers/delegating.ts';
import { entriesOf } from '#test/contract/environment/checks.ts';
import { createHarness } from '#test/contract/tools/harness.ts';
import { createTemporary, removeTemporary } from '#test/environment/local/temporary.ts';
import { patchScenarios } from './scenarios.ts';

afterEach(removeTemporary);

const wrap = (lines: string[]): string => ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n');

async function filesOf(environment: ExecutionEnvironment): Promise<Record<string, string>> {
	const entries = await environment.listDirectory('.', 10);
	const files = entries.filter(({ kind }) => kind === 'file');
	return Object.fromEntries(await Promise.all(files.map(async ({ path }) => [path, await environment.readFile(path)])));
}

async function applied(
	patch: string,
	before: Record<string, string>,
	options = {}
): Promise<{ isError: boolean; files: Record<string, string>; content: string }> {
	const environment = await createTemporary({ confinement: null });
	await environment.load(entriesOf(before));
	const { context, registry } = createHarness(environment);
	const tool = createApplyPatch({ addExisting: 'overwrite', ...options });
	registry.register({
		definition: { name: 'p', description: '', parameters: { type: 'object' } },
		tool: { ...tool, execute: (args, c) => tool.execute(tool.schema.parse(args), c) }
	});
	const result = await registry.execute({ type: 'tool_call', id: '1', name: 'p', arguments: { patch } }, context);
	const files = await filesOf(environment);
	await environment.cleanup();
	return { isError: result.isError, files, content: result.content };
}

describe('apply_patch scenarios', () => {
	it.each(patchScenarios)('$name', async ({ patch, before, after }) => {
		const { isError, files } = await applied(wrap(patch), before);
		expect(isError).toBe(after === null);
		expect(files).toEqual(after ?? before);
	});

	/** A directory of scenarios in the native tool's format: `NNN_name/{input,patch.txt,expected}`. */
	const fixtures = process.env['APPLY_PATCH_SCENARIOS'] ?? '';
	const present = existsSync(fixtures);
	const names = present ? readdirSync(fixtures).filter((name) => /^\d/.test(name)) : ['none'];
	it.skipIf(!present).each(names)(
		present ? 'the native scenario %s' : 'native scenarios (skipped: APPLY_PATCH_SCENARIOS names no directory of them)',
		async (name) => {
			const directory = join(fixtures, name);
			const tree = (below: string): Record<string, string> => {
				const root = join(directory, below);
				if (!existsSync(root)) return {};
				const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
				return Object.fromEntries(
					files.map((entry) => {
						const path = join(entry.parentPath, entry.name);
						return [relative(root, path), readFileSync(path, 'utf8')];
					})
				);
			};
			const { isError, files } = await applied(readFileSync(join(directory, 'patch.txt'), 'utf8'), tree('input'));
			expect(isError).toBe(/^(005|006|007|008|009|012|013|015)/.test(name));
			// Our tool leaves nothing half done; the native command does.
			expect(files).toEqual(name.startsWith('015') ? {} : tree('expected'));
		}
	);
});

describe('apply_patch', () => {
	it('tells the paths it needs and makes before anything is applied [A-12]', () => {
		const patch = wrap([
			'*** Add File: new',
			'+x',
			'*** Delete File: old',
			'*** Update File: a',
			'*** Move to: b',
			'@@',
			'-1',
			'+2'
		]);
		expect(pathsOfPatch(patch)).toEqual({ reads: ['old', 'a'], adds: ['new'] });
	});

	it('comes to one action a path [A-13]', async () => {
		const operations = parsePatch(
			wrap([
				'*** Add File: a',
				'+1',
				'*** Update File: a',
				'@@',
				'-1',
				'+2',
				'*** Delete File: a',
				'*** Add File: a',
				'+3'
			])
		);
		const plan = await planPatch(operations, () => Promise.resolve(null), { addExisting: 'refuse', maxFuzz: 3 });
		expect(plan.map(({ path, kind, after }) => [path, kind, new TextDecoder().decode(after ?? undefined)])).toEqual([
			['a', 'added', '3\n']
		]);
	});

	it('puts back what it wrote when a later write fails [A-13]', async () => {
		const inner = await createTemporary({ confinement: null });
		await inner.load(entriesOf({ a: 'one\n', b: 'two\n' }));
		const failing = new (class extends DelegatingEnvironment {
			override writeFile(path: string, content: string | Uint8Array): Promise<void> {
				return path.endsWith('/b') ? Promise.reject(new Error('disk is full')) : super.writeFile(path, content);
			}
		})(inner);
		const { call } = createHarness(failing);
		const patch = wrap([
			'*** Update File: a',
			'@@',
			'-one',
			'+1',
			'*** Add File: c',
			'+c',
			'*** Update File: b',
			'@@',
			'-two',
			'+2'
		]);
		const result = await call('apply_patch', { patch });
		expect(result).toMatchObject({ isError: true, content: expect.stringContaining('disk is full') });
		expect(await filesOf(inner)).toEqual({ a: 'one\n', b: 'two\n' });
		await inner.cleanup();
	});

	it('refuses what matches more loosely than it may [A-5]', async () => {
		const patch = wrap(['*** Update File: a', '@@', '-  one', '+  1']);
		expect((await applied(patch, { a: '\tone\n' }, { maxFuzz: 1 })).content).toContain('match only loosely, at line 1');
		expect((await applied(patch, { a: '\tone\n' }, { maxFuzz: 3 })).files).toEqual({ a: '  1\n' });
		expect((await applied(patch, { a: '  one   \n' }, { maxFuzz: 1 })).files).toEqual({ a: '  1\n' });
	});

	it('turns any text into any other by the patch between them', () => {
		const line = fc.constantFrom('a', 'b', 'c', '  d', '\te', '', 'f f', '+g', '-h', '@@ i', '*** j');
		const text = fc.array(line, { maxLength: 12 });
		fc.assert(
			fc.property(text, text, (before, after) => {
				const original = before.map((each) => `${each}\n`).join('');
				const hunk = [...before.map((each) => `-${each}`), ...after.map((each) => `+${each}`)];
				if (hunk.length === 0) return;
				const [operation] = parsePatch(wrap(['*** Update File: f', '@@', ...hunk]));
				if (operation?.kind !== 'update') throw new Error('no update');
				expect(applyHunks(original, operation.hunks, 'f')).toBe(after.map((each) => `${each}\n`).join(''));
			}),
			{ numRuns: 300 }
		);
	});

	it('never fails but with a sentence, whatever it is given', () => {
		const piece = fc.constantFrom(
			'*** Begin Patch',
			'*** End Patch',
			'*** Add File: a',
			'*** Update File: b',
			'*** Move to: c',
			'@@',
			'@@ x',
			'+y',
			'-z',
			' w',
			'*** End of File',
			''
		);
		fc.assert(
			fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 14 }), (lines) => {
				try {
					parsePatch(lines.join('\n'));
				} catch (error) {
					expect(error).toMatchObject({ name: 'ToolError', message: expect.stringMatching(/^Invalid patch/) });
				}
			}),
			{ numRuns: 500 }
		);
	});
});

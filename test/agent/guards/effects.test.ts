import { describe, expect, it } from 'vitest';
import { openEffects, wantsNothing } from '#agent/guards/effect-rules.ts';
import type { PermissionRule } from '#agent/guards/permission-rules.ts';
import type { PermissionMode } from '#agent/guards/permission-types.ts';
import { shownEffects } from '#agent/guards/shown-effects.ts';
import type { Effects, FileEffect, Trial } from '#environment/contract.ts';

const NOTHING: Effects = { files: [], hosts: [], servers: [], signals: [], leftRunning: [], unnamed: false };
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const file = (path: string, kind: FileEffect['kind'] = 'modified'): FileEffect =>
	({ path: `/work/${path}`, kind }) as FileEffect;
const nameOf = (path: string): string => path.replace(/^\/work\//, '');
const signal = (pid: number, command: string) => ({ signal: 'SIGTERM', pid, command }) as Effects['signals'][number];

/** A trial run with these effects, and the contents of its files before and after it. */
function trial(
	effects: Partial<Effects>,
	contents: Record<string, [before: Uint8Array | null, after: Uint8Array | null]> = {}
): Trial {
	return {
		effects: { ...NOTHING, ...effects },
		result: { stdout: '', stderr: '', exitCode: 3, timedOut: false, durationMs: 1 },
		read: (path: string, when: 'before' | 'after') =>
			Promise.resolve((contents[nameOf(path)] ?? [bytes('old\n'), bytes('new\n')])[when === 'before' ? 0 : 1])
	} as unknown as Trial;
}

describe('effects of a trial that need a question', () => {
	const open = (
		effects: Partial<Effects>,
		{ mode = 'ask' as PermissionMode, rules = [] as PermissionRule[], mayInstall = false } = {},
		contents: Parameters<typeof trial>[1] = {}
	) => openEffects(trial(effects, contents), { mode, rules, mayInstall }, nameOf);
	const namesOf = async (...args: Parameters<typeof open>): Promise<string[]> =>
		(await open(...args)).files.map((each) => ('name' in each ? String(each.name) : ''));

	it('are all of them without a rule, with the rules that would cover them', async () => {
		const found = await open({
			files: [file('src/a.ts'), file('src/b.ts'), file('c.txt'), file('.git/refs/heads/main')],
			hosts: ['a.example', 'b.example']
		});
		expect(found.hosts).toEqual(['a.example', 'b.example']);
		expect(found.files).toHaveLength(4);
		expect(found.rules).toEqual([
			{ kind: 'path', pattern: 'src/**' },
			{ kind: 'path', pattern: 'c.txt' },
			{ kind: 'git', pattern: 'history' },
			{ kind: 'host', pattern: 'a.example' },
			{ kind: 'host', pattern: 'b.example' }
		]);
	});

	it('are those that no rule for any tool covers', async () => {
		const files = [file('src/a.ts'), file('lib/b.ts'), file('.git/index')];
		const rule = (kind: PermissionRule['kind'], pattern: string, tool?: string): PermissionRule => ({
			kind,
			pattern,
			...(tool ? { tool } : {})
		});
		expect(await namesOf({ files }, { rules: [rule('path', 'src/**')] })).toEqual(['lib/b.ts', '.git/index']);
		expect(await namesOf({ files }, { rules: [rule('path', 'src/**', 'Bash'), rule('path', '**')] })).toEqual([
			'.git/index'
		]);
		expect(await namesOf({ files }, { rules: [rule('git', 'history')] })).toEqual(['src/a.ts', 'lib/b.ts']);
		expect(await namesOf({ files }, { mode: 'auto-edit' })).toEqual(['.git/index']);
	});

	it('are files that run by themselves, whatever the mode and the rules, and no rule is offered', async () => {
		const files = [file('.git/hooks/pre-commit'), file('.envrc'), file('src/a.ts')];
		const found = await open(
			{ files },
			{
				mode: 'auto-edit',
				rules: [
					{ kind: 'path', pattern: '**' },
					{ kind: 'git', pattern: 'history' }
				]
			}
		);
		expect(found.files.map(({ path }) => path)).toEqual(['/work/.git/hooks/pre-commit', '/work/.envrc']);
		expect(found.rules).toEqual([]);
	});

	it('are scripts of a package, but no other change of it', async () => {
		const files = [file('package.json')];
		const changed = (before: string | null, after: string | null) => ({
			'package.json': [before === null ? null : bytes(before), after === null ? null : bytes(after)] as [
				Uint8Array | null,
				Uint8Array | null
			]
		});
		const options = { mode: 'auto-edit' as PermissionMode };
		const isOpen = async (before: string | null, after: string | null): Promise<boolean> =>
			(await namesOf({ files }, options, changed(before, after))).length > 0;
		expect(await isOpen('{"name":"a"}', '{"name":"b"}')).toBe(false);
		expect(await isOpen(null, '{"name":"a","scripts":{}}')).toBe(false);
		expect(await isOpen('{}', '{"dependencies":{"a":"1"}}')).toBe(false);
		for (const key of ['scripts', 'husky', 'simple-git-hooks', 'lint-staged', 'pre-commit', 'bin', 'gypfile']) {
			expect(await isOpen('{}', `{"${key}":{"a":"b"}}`), key).toBe(true);
			expect(await isOpen(`{"${key}":{"a":"b"}}`, null), key).toBe(true);
		}
		expect(await isOpen('{"scripts":{"a":"b"}}', '{"scripts":{"a":"c"}}')).toBe(true);
		expect(await isOpen('{', '{}')).toBe(true);
		expect(await isOpen('{', '[')).toBe(false);
		expect(await isOpen('5', 'null')).toBe(false);
		const inPackages = [file('node_modules/a/package.json'), file('packages/b/package.json')];
		const everywhere = Object.fromEntries(
			inPackages.map(({ path }) => [
				nameOf(path),
				[bytes('{}'), bytes('{"scripts":{"a":"b"}}')] as [Uint8Array, Uint8Array]
			])
		);
		expect(await namesOf({ files: inPackages }, options, everywhere)).toEqual(['packages/b/package.json']);
	});

	it('are not what an installation writes where a host was allowed for it', async () => {
		const files = [
			file('node_modules/a/index.js'),
			file('sub/node_modules/a/index.js'),
			file('package-lock.json'),
			file('sub/yarn.lock'),
			file('.venv/lib/x.py'),
			file('src/node_modules.ts'),
			file('package.json.bak')
		];
		expect(await namesOf({ files }, { mayInstall: true })).toEqual(['src/node_modules.ts', 'package.json.bak']);
		expect(await namesOf({ files })).toHaveLength(7);
	});

	it.each<[string, Partial<Effects>]>([
		['servers', { servers: [3000] }],
		['signals', { signals: [signal(1, 'sleep')] }],
		['what was left running', { leftRunning: ['sleep 60'] }],
		['what has no name', { unnamed: true }]
	])('offer no rule with %s among them', async (_, effects) => {
		const found = await open({ hosts: ['a.example'], ...effects });
		expect(found).toMatchObject({ ...effects, hosts: ['a.example'], rules: [] });
		expect(wantsNothing(found)).toBe(false);
	});

	it('are none where all lists are empty', () => {
		expect(wantsNothing(NOTHING)).toBe(true);
		for (const effects of [
			{ files: [file('a')] },
			{ hosts: ['a'] },
			{ servers: [1] },
			{ leftRunning: ['a'] },
			{ unnamed: true }
		])
			expect(wantsNothing({ ...NOTHING, ...effects })).toBe(false);
	});
});

describe('effects as a question shows them', () => {
	const show = (effects: Partial<Effects>, contents: Parameters<typeof trial>[1] = {}) => {
		const made = trial(effects, contents);
		return shownEffects(made, made.effects, nameOf);
	};

	it('have each file with its difference, and how the trial ended', async () => {
		expect(
			await show(
				{ files: [file('a.ts'), file('b.ts', 'added'), file('c.ts', 'removed')], servers: [3000], unnamed: true },
				{
					'b.ts': [null, bytes('b\n')],
					'c.ts': [bytes('c\n'), null]
				}
			)
		).toEqual({
			files: [
				{
					path: 'a.ts',
					kind: 'modified',
					diff: '--- a.ts\n+++ a.ts\n@@ -1,1 +1,1 @@\n-old\n+new\n',
					added: 1,
					removed: 1
				},
				{ path: 'b.ts', kind: 'added', diff: '--- b.ts\n+++ b.ts\n@@ -0,0 +1,1 @@\n+b\n', added: 1, removed: 0 },
				{ path: 'c.ts', kind: 'removed', diff: '--- c.ts\n+++ c.ts\n@@ -1,1 +0,0 @@\n-c\n', added: 0, removed: 1 }
			],
			moreFiles: [],
			hosts: [],
			servers: [3000],
			signals: [],
			leftRunning: [],
			unnamed: true,
			result: { exitCode: 3, timedOut: false }
		});
	});

	it('have large and binary files by name only, and no key in a difference', async () => {
		const key = `ghp_${'aB3d'.repeat(9)}`;
		const { files } = await show(
			{ files: [file('large'), file('fits'), file('binary'), file('was-binary'), file('key')] },
			{
				large: [null, bytes('x'.repeat(65_537))],
				fits: [null, bytes('x'.repeat(65_536))],
				binary: [bytes('a'), new Uint8Array([0])],
				'was-binary': [new Uint8Array([0]), bytes('a')],
				key: [null, bytes(`${key}\n`)]
			}
		);
		expect(files.map(({ diff }) => diff !== undefined)).toEqual([false, true, false, false, true]);
		expect(files[0]).toEqual({ path: 'large', kind: 'modified' });
		expect(files[4]?.diff).toContain('+[secret left out: GitHub token]\n');
	});

	it('list twenty files, and count the others and those that tools write, by directory', async () => {
		const own = Array.from({ length: 22 }, (_, index) => file(`src/${index}.ts`));
		const bulk = [
			...['a/x.js', 'a/y.js', 'b/x.js'].map((name) => file(`node_modules/${name}`)),
			file('packages/c/node_modules/d/x.js'),
			file('.git/objects/ab/1'),
			file('.git/objects/ab/2'),
			file('.git/refs/heads/main'),
			file('.git/index'),
			file('.venv/lib/x.py'),
			file('lib/site-packages/y.py')
		];
		const { files, moreFiles } = await show({ files: [...bulk, ...own] });
		expect(files.map(({ path }) => path)).toEqual(own.slice(0, 20).map(({ path }) => nameOf(path)));
		expect(moreFiles).toEqual([
			{ directory: 'node_modules', count: 3 },
			{ directory: '.git/objects', count: 2 },
			{ directory: 'src', count: 2 },
			{ directory: 'packages/c/node_modules', count: 1 },
			{ directory: '.git/refs', count: 1 },
			{ directory: '.git/index', count: 1 },
			{ directory: '.venv', count: 1 },
			{ directory: 'lib', count: 1 }
		]);
	});

	it('count twelve directories, the largest, and the rest together', async () => {
		const files = Array.from({ length: 14 }, (_, index) => file(`p${index}/node_modules/x.js`));
		const { moreFiles } = await show({ files: [...files, file('p13/node_modules/y.js')] });
		expect(moreFiles).toHaveLength(13);
		expect(moreFiles[0]).toEqual({ directory: 'p13/node_modules', count: 2 });
		expect(moreFiles.at(-1)).toEqual({ directory: '…', count: 2 });
		expect((await show({ files: files.slice(0, 12) })).moreFiles).toHaveLength(12);
	});

	it('list twenty hosts, signals and commands', async () => {
		const many = Array.from({ length: 21 }, (_, index) => `${index}`);
		const { hosts, signals, leftRunning } = await show({
			hosts: many,
			leftRunning: many,
			signals: many.map((each) => signal(Number(each), 'sleep'))
		});
		expect([hosts.length, signals.length, leftRunning.length]).toEqual([20, 20, 20]);
		expect(signals[1]).toBe('SIGTERM → 1 sleep');
	});
});

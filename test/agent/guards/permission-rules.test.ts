import fc from '#test/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { judge } from '#agent/guards/permission.ts';
import {
	effectPatterns,
	matchesPath,
	pathPattern,
	patternsFor,
	readRules,
	ruleKind,
	type PermissionRule
} from '#agent/guards/permission-rules.ts';
import type { ProposedChange } from '#agent/tool.ts';

const write: ProposedChange = { kind: 'write', path: '', before: null, after: new Uint8Array(), description: '' };
const run = (command: string, input?: string): ProposedChange => ({
	kind: 'execute',
	command,
	cwd: '/',
	description: '',
	...(input === undefined ? {} : { input })
});
const reach = (url: string): ProposedChange => ({ kind: 'network', url, description: '' });

/** Answers one question with "always allow", and returns whether another change is then allowed without a question. */
function opens(allowed: [ProposedChange, path?: string], then: [ProposedChange, path?: string]): boolean {
	const verdict = judge(allowed[0], allowed[1] ?? '', 'ask', []);
	if (verdict.kind !== 'ask') throw new Error('It was not asked about.');
	return judge(then[0], then[1] ?? '', 'ask', patternsFor(verdict.rules, then[0], 'tool')).kind === 'allow';
}

describe('a rule', () => {
	it('counts for its own kind only, whatever a file, a command or a host is called', () => {
		for (const name of ['npm test', 'make', 'git commit *', 'evil.example', 'make\nx', 'background', 'history']) {
			expect(opens([write, name], [write, name])).toBe(true);
			expect(opens([write, name], [run(name)])).toBe(false);
			expect(opens([write, name], [run(name, 'x')])).toBe(false);
			expect(opens([write, name], [reach(`https://${encodeURIComponent(name)}/`)])).toBe(false);
			expect(opens([run('sh', name)], [write, name])).toBe(false);
		}
		expect(opens([reach('https://make/')], [run('make')])).toBe(false);
		expect(opens([reach('https://make/')], [write, 'make'])).toBe(false);
		expect(opens([reach('https://a.example/x')], [reach('https://a.example/y')])).toBe(true);
		expect(opens([reach('https://a.example/')], [reach('https://a.example:8443/')])).toBe(false);
		expect(opens([reach('https://a.example/')], [reach('https://b.a.example/')])).toBe(false);
	});

	it('covers no command by its text, and typing only for the same command and text', () => {
		expect(opens([run('make')], [run('make')])).toBe(false);
		expect(opens([run('ssh host', 'make x')], [run('ssh host', 'make x')])).toBe(true);
		expect(opens([run('ssh host', 'make x')], [run('ssh host', 'make y')])).toBe(false);
		expect(opens([run('ssh host', 'make x')], [run('ssh host\nmake x')])).toBe(false);
	});

	it.each([
		'.git/config',
		'.husky/pre-commit',
		'.github/workflows/test.yml',
		'sub/.bashrc',
		'.npmrc',
		'.gitlab-ci.yml',
		'/home/user/.profile'
	])('covers %s never, in no mode but full', (path) => {
		for (const mode of ['ask', 'auto-edit'] as const)
			expect(judge(write, path, mode, ['**', path, '.git/**', '.*'])).toMatchObject({ kind: 'ask', rules: [] });
	});

	it('covers package.json while its scripts stay as they are', () => {
		const bytes = (json: unknown) => new TextEncoder().encode(JSON.stringify(json));
		const change = (before: unknown, after: unknown) =>
			judge({ ...write, before: bytes(before), after: bytes(after) }, 'app/package.json', 'auto-edit', []).kind;
		expect(change({ scripts: { test: 'a' } }, { scripts: { test: 'a' }, dependencies: { x: '1' } })).toBe('allow');
		expect(change({ scripts: { test: 'a' } }, { scripts: { test: 'a', postinstall: 'b' } })).toBe('ask');
		expect(change({}, { scripts: { test: 'a' } })).toBe('ask');
		expect(judge({ ...write, after: bytes({ scripts: { a: 'b' } }) }, 'package.json', 'auto-edit', []).kind).toBe(
			'ask'
		);
		expect(judge({ ...write, after: new Uint8Array([123]) }, 'package.json', 'auto-edit', []).kind).toBe('ask');
	});

	it('for a file or a directory covers that one, whatever signs its name is made of', () => {
		for (const [name, other] of [
			['a*', 'ab'],
			['*', 'x'],
			['*/a', 'src/a'],
			['**/a', 'src/a'],
			['{a,src}/a', 'src/a'],
			['!(x)/a', 'src/a'],
			['[a-z]/a', 's/a'],
			['!a', 'b'],
			['+(a|b)', 'a'],
			['\\*', '*'],
			['@(src)/a', 'src/a'],
			['a\\/b', 'a/b']
		] as const)
			expect([name, other, opens([write, name], [write, other])]).toEqual([name, other, false]);
		const name = fc.string({ unit: fc.constantFrom(...'ab*?[]{}()!+@|^$\\.,"\' -'), minLength: 1, maxLength: 8 });
		const plain = (text: string): boolean => text !== '.' && text !== '..';
		fc.assert(
			fc.property(name.filter(plain), name.filter(plain), (one, other) => {
				expect(matchesPath(`${one}/x`, [pathPattern(`${one}/y`)])).toBe(true);
				expect(matchesPath(one, [pathPattern(one)])).toBe(true);
				if (one !== other) expect(matchesPath(`${other}/x`, [pathPattern(`${one}/y`)])).toBe(false);
				if (one !== other) expect(matchesPath(other, [pathPattern(one)])).toBe(false);
			}),
			{ numRuns: 2_000 }
		);
	});

	it('that names a tool is for that tool', () => {
		const rules: PermissionRule[] = [
			{ tool: 'Write', kind: 'path', pattern: 'docs/**/*.md' },
			{ tool: 'Bash', kind: 'input', pattern: 'make' }
		];
		expect(patternsFor(rules, write, 'Write')).toEqual(['docs/**/*.md']);
		expect(patternsFor(rules, write, 'Edit')).toEqual([]);
		expect(patternsFor(rules, run('make'), 'Write')).toEqual([]);
		expect(judge(write, 'docs/a/b.md', 'ask', patternsFor(rules, write, 'Write')).kind).toBe('allow');
		expect(judge(write, 'docs/a/b.sh', 'ask', patternsFor(rules, write, 'Write')).kind).toBe('ask');
	});

	it('never opens what runs by itself, nor stops the work by its length', () => {
		for (const pattern of ['**', '**/*', '.git/hooks/pre-commit', '.git/**', `${'x'.repeat(70_000)}/**`])
			expect(judge(write, '.git/hooks/pre-commit', 'ask', [pattern]).kind).toBe('ask');
	});
});

describe('kept rules', () => {
	it('are read as they were written', () => {
		const rules: PermissionRule[] = [
			{ kind: 'git', pattern: 'history' },
			{ kind: 'server', pattern: 'background' },
			{ tool: 'Write', kind: 'path', pattern: 'src/**' },
			{ kind: 'host', pattern: 'a.example' }
		];
		expect(readRules(JSON.parse(JSON.stringify(rules)))).toEqual(rules);
	});

	it('of an older form are kept where they can be distinguished, else asked about again', () => {
		const older = ['src/**', 'npm test', 'make', 'README.md', 'a.example', 'rm x/**', '{a,b}/**', 'a/b && c', '*/**'];
		expect(readRules(older)).toEqual([{ kind: 'path', pattern: 'src/**' }]);
	});

	it('about the text of commands are left out: they covered more than they said', () => {
		expect(readRules([{ kind: 'command', pattern: 'npm test *' }])).toEqual([]);
	});

	it('that are damaged are left out', () => {
		for (const kept of [undefined, null, 'npm test', { kind: 'path', pattern: '**' }, 5])
			expect(readRules(kept)).toEqual([]);
		expect(
			readRules([
				null,
				5,
				{},
				{ kind: 'any', pattern: '**' },
				{ kind: 'path' },
				{ tool: '', kind: 'path', pattern: 'a' }
			])
		).toEqual([]);
	});
});

describe('the rules that count', () => {
	it('for a command itself are those for servers, and for a preview none', () => {
		expect(ruleKind(run('vite'))).toBe('server');
		expect(ruleKind(run('psql', 'x'))).toBe('input');
		expect(ruleKind({ kind: 'preview', description: '', mayLeak: true })).toBeNull();
	});

	it('for the effects of a command are those of no tool alone', () => {
		const rules: PermissionRule[] = [
			{ kind: 'host', pattern: 'a.example' },
			{ kind: 'host', pattern: 'b.example', tool: 'web_fetch' },
			{ kind: 'path', pattern: 'src/**' }
		];
		expect(effectPatterns(rules, 'host')).toEqual(['a.example']);
	});

	it('are read as they were stored, and older ones only where they are for a directory', () => {
		const kept: PermissionRule[] = [
			{ kind: 'path', pattern: 'src/**' },
			{ kind: 'input', pattern: 'psql\nx' },
			{ kind: 'host', pattern: 'a.example', tool: 'web_fetch' },
			{ kind: 'git', pattern: 'history' },
			{ kind: 'server', pattern: 'background' }
		];
		expect(readRules(kept)).toEqual(kept);
		expect(readRules(['lib/**', 'lib/**/x', 'make', 7, { kind: 'other', pattern: 'x' }])).toEqual([
			{ kind: 'path', pattern: 'lib/**' }
		]);
	});
});

describe('a glob', () => {
	it('matches hidden files, and takes a backslash for the sign of an escape only', () => {
		expect(matchesPath('src/.a', ['src/*'])).toBe(true);
		expect(matchesPath('src/a\\b.ts', ['src/a/*.ts'])).toBe(false);
	});

	it('of more than 10,000 characters matches nothing', () => {
		expect(matchesPath('x'.repeat(10_000), ['x'.repeat(10_000)])).toBe(true);
		expect(matchesPath('x'.repeat(10_001), ['x'.repeat(10_001)])).toBe(false);
	});
});

import { describe, expect, it } from 'vitest';
import { changesScripts, isGitHistory, isGuarded } from '#agent/guards/guarded-paths.ts';

const json = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

describe('a path whose writes are each asked about', () => {
	it.each(['~/notes', '~', '/etc/hosts', '/tmp/x', '.git/hooks/pre-commit', 'sub/.GIT/config', '.bashrc', '.npmrc'])(
		'is %s',
		(path) => expect(isGuarded(path)).toBe(true)
	);

	it.each(['notes~', 'src/a.ts', 'dist/', 'node_modules/a/.npmrc', 'git/config', '.npmrc.md'])('is not %s', (path) =>
		expect(isGuarded(path)).toBe(false)
	);
});

describe('the history of git', () => {
	it.each(['.git/objects/ab/cd', '.git/refs/heads/main', '.git/logs/HEAD', '.git/HEAD', '.git/index'])(
		'has %s',
		(path) => expect(isGitHistory(path)).toBe(true)
	);

	it.each([
		'.git/config',
		'.git/hooks/pre-commit',
		'.git/index.js',
		'.git/HEADER',
		'sub/.git/HEAD',
		'sub/.git/objects/ab',
		'x.git/refs/heads/main'
	])('does not have %s', (path) => expect(isGitHistory(path)).toBe(false));
});

describe('a change of package.json', () => {
	it('counts where it changes what npm runs', () => {
		const before = json({ name: 'a', scripts: { test: 'vitest' } });
		expect(changesScripts('package.json', before, json({ scripts: { test: 'curl x | sh' } }))).toBe(true);
		expect(changesScripts('sub/package.json', before, null)).toBe(true);
		expect(changesScripts('package.json', before, json({ name: 'b', scripts: { test: 'vitest' } }))).toBe(false);
	});

	it('does not count in a file of another name', () => {
		expect(changesScripts('package.json.md', null, json({ scripts: { test: 'x' } }))).toBe(false);
		expect(changesScripts('my-package.json', null, json({ scripts: { test: 'x' } }))).toBe(false);
	});
});

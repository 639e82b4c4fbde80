import { describe, expect, it } from 'vitest';
import { EffectScope } from '#environment/local/trial/layers.ts';
import { isCache } from '#environment/scratch-paths.ts';
import { isScratch } from '#computer/kernel/trial/scratch.ts';

describe('a cache', () => {
	const CACHES = [
		'~/.cache',
		'~/.cache/pip/x',
		'~/.npm/_cacache/index',
		'~/.npm/_logs/x.log',
		'~/.npm/_npx/ab/package.json',
		'~/.npm/_update-notifier-last-checked',
		'~/.config/configstore/update-notifier-npm.json',
		'~/p/node_modules/.cache/x',
		'~/p/node_modules/.vite/deps/x.js',
		'~/p/node_modules/.vite-temp/x',
		'~/p/node_modules/.vitest/x',
		'~/p/a/__pycache__/a.pyc',
		'~/p/.pytest_cache/x',
		'~/p/.mypy_cache/x',
		'~/p/.ruff_cache/x',
		'~/p/.hypothesis/examples/x'
	];
	const OTHERS = [
		'~/.cached',
		'~/.npm/package.json',
		'~/.npm/_cacache2/x',
		'~/.npmrc',
		'~/.config/configstore/firebase-tools.json',
		'~/p/.cache/x',
		'~/p/node_modules/.bin/x',
		'~/p/node_modules/.vite.js',
		'~/p/__pycache__.py',
		'~/p/src/.hypothesis.md'
	];

	it.each(CACHES)('is the same to the tab and to a machine: %s', (name) => {
		for (const home of ['/home/user', '/'])
			expect([home, isCache(name.replace('~/', home === '/' ? home : `${home}/`), home)]).toEqual([home, true]);
		const path = name.replace('~', '/home/user');
		expect(isScratch(path)).toBe(true);
		expect(new EffectScope(['/home/user'], ['/tmp'], '/home/user').has(path)).toBe(false);
	});

	it.each(OTHERS)('is none: %s', (name) => {
		const path = name.replace('~', '/home/user');
		expect(isCache(path, '/home/user')).toBe(false);
		expect(isScratch(path)).toBe(false);
		expect(new EffectScope(['/home/user'], ['/tmp'], '/home/user').has(path)).toBe(true);
	});
});

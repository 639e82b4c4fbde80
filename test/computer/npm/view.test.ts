import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import recorded from './recorded-views.json' with { type: 'json' };
import { FixtureRegistry } from './fixture-registry.ts';
import { fetchDirectly, NpmInMemory } from './in-memory.ts';

const run = promisify(execFile);
const npmVersion = execFileSync('npm', ['--version'], { encoding: 'utf8' }).trim();
let registry: FixtureRegistry;
let home: string;
let box: NpmInMemory;

beforeAll(async () => {
	registry = await new FixtureRegistry().start();
	const about = { description: 'Leaves.', homepage: 'http://leaf.test/', license: 'MIT', engines: { node: '>=10' } };
	const people = [{ name: 'Ann', email: 'ann@leaf.test' }, { name: 'Bob' }];
	const keywords = ['green', 'autumn', 'winter', 'spring', 'summer', 'tree', 'wood'];
	for (const version of ['1.0.0', '1.1.0', '2.0.0', '1.0.1'])
		registry.publish({ name: 'leaf', version, ...about, people, keywords, files: ['index.js'] });
	registry.publish({ name: 'leaf', version: '3.0.0-beta.1', exports: { '.': { import: { default: './a.js' } } } });
	registry.tag('leaf', 'latest', '2.0.0');
	registry.tag('leaf', 'next', '3.0.0-beta.1');
	const many = Object.fromEntries(Array.from({ length: 27 }, (_, index) => [`dep-${index}`, `^${index}.0.0`]));
	registry.publish({ name: 'tree', version: '1.0.0', bin: { tree: 'a.js', wood: 'b.js' }, dependencies: many });
	registry.publish({ name: 'old', version: '1.0.0', deprecated: 'Use leaf.', dependencies: { leaf: '1' } });
	home = mkdtempSync(path.join(tmpdir(), 'npm-view-'));
	box = new NpmInMemory(fetchDirectly);
	box.write('/workspace/.npmrc', `registry=${registry.url}\n`);
});
afterAll(async () => {
	await registry.close();
	rmSync(home, { recursive: true, force: true });
});

/** Removes differences between runs from an answer: the registry's port, and hashes of what this zlib packs. */
const comparable = (text: string): string =>
	text
		.replaceAll(registry.url, 'http://registry/')
		.replace(/^(\.(?:shasum|integrity)): .*$/gm, '$1: …')
		.replace(/^published .*\n/gm, '');

it.each(Object.entries(recorded))('%s', async (words, stdout) => {
	const answer = await box.run(`npm view ${words}`);
	expect({ stdout: comparable(answer.stdout), code: answer.code }).toEqual({ stdout, code: 0 });
});

/** Each start of npm takes almost a second. */
it
	.skipIf(Number.parseInt(npmVersion, 10) < 11)
	.each(['tree', 'leaf@1 version license', 'leaf people.name', 'leaf keywords'])(
	`%s, as npm ${npmVersion} says it`,
	async (words) => {
		const real = await run('npm', ['view', ...words.split(' '), '--registry', registry.url], {
			cwd: home,
			env: { PATH: process.env['PATH'], HOME: home, NO_UPDATE_NOTIFIER: '1' }
		});
		expect(comparable(real.stdout)).toBe(Reflect.get(recorded, words));
	}
);

it('views the project’s own package where none is named', async () => {
	box.write('/workspace/package.json', { name: 'leaf' });
	expect((await box.run('npm view . version')).stdout).toBe('2.0.0\n');
	expect((await box.run('npm view')).stdout).toContain('leaf@2.0.0 | MIT');
});

it('says which versions there are where none fits', async () => {
	const { code, stderr } = await box.run('npm view leaf@9 version');
	expect(code).toBe(1);
	expect(stderr).toContain('No match found for version 9');
	expect(stderr).toContain('npm view leaf versions');
});

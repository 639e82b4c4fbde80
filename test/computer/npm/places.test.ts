import { afterAll, beforeAll, expect, it } from 'vitest';
import { FixtureRegistry } from './fixture-registry.ts';
import { fetchDirectly, NpmInMemory } from './in-memory.ts';

let registry: FixtureRegistry;
let box: NpmInMemory;

beforeAll(async () => void (registry = await new FixtureRegistry().start()));
afterAll(() => registry.close());

async function install(dependencies: Record<string, string>): ReturnType<NpmInMemory['run']> {
	box = new NpmInMemory(fetchDirectly);
	box.write('/workspace/.npmrc', `registry=${registry.url}\n`);
	box.write('/workspace/package.json', { name: 'mine', version: '1.0.0', dependencies });
	return box.run('npm install');
}
const locked = () => box.json('/workspace/package-lock.json')['packages'] as Record<string, Record<string, unknown>>;
const versions = () =>
	Object.fromEntries(
		Object.entries(locked())
			.filter(([place]) => place !== '')
			.map(([place, { version }]) => [place.replaceAll('node_modules/', ''), version])
	);

it('names the packages that come in the tarball of another, and installs them once', async () => {
	registry.publish({ name: 'inner', version: '1.0.0' });
	registry.publish({ name: 'inner', version: '2.0.0' });
	const bundled = { name: 'inner', version: '1.0.0', directories: { bin: './commands/' } };
	registry.publish(
		{
			name: 'outer',
			version: '1.0.0',
			dependencies: { inner: '1', deep: '1' },
			bundledDependencies: ['inner', 'deep']
		},
		{
			'node_modules/inner/package.json': JSON.stringify(bundled),
			'node_modules/inner/commands/say': '#!/usr/bin/env node\n',
			'node_modules/inner/node_modules/@s/below/package.json': '{ "name": "@s/below", "version": "3.0.0" }',
			'node_modules/deep/package.json': '{ "name": "deep", "version": "1.0.0" }',
			'node_modules/broken/package.json': '{'
		}
	);
	const { code, stdout } = await install({ outer: '1', inner: '2' });
	expect(code).toBe(0);
	expect(stdout).toContain('added 2 packages');
	expect(versions()).toEqual({
		inner: '2.0.0',
		outer: '1.0.0',
		'outer/deep': '1.0.0',
		'outer/inner': '1.0.0',
		'outer/inner/@s/below': '3.0.0'
	});
	expect(locked()['node_modules/outer']).toMatchObject({ bundleDependencies: ['inner', 'deep'] });
	expect(locked()['node_modules/outer/node_modules/inner']).toEqual({
		version: '1.0.0',
		inBundle: true,
		bin: { say: 'commands/say' }
	});
	const tarballs = registry.requests.filter((url) => url.includes('outer-1.0.0'));
	expect(tarballs).toHaveLength(1);
	const before = box.read('/workspace/package-lock.json');
	for (const command of ['npm ci', 'npm install']) expect((await box.run(command)).code).toBe(0);
	expect(box.read('/workspace/package-lock.json')).toBe(before);
	expect(box.has('/workspace/node_modules/outer/node_modules/inner/node_modules/@s/below/package.json')).toBe(true);
});

it('makes the commands of a folder that a package names', async () => {
	registry.publish(
		{ name: 'folder', version: '1.0.0', directories: { bin: 'tools' } },
		{ 'tools/first': '#!/usr/bin/env node\n', 'tools/second': '#!/usr/bin/env node\n', 'other/third': '' }
	);
	expect((await install({ folder: '1' })).code).toBe(0);
	expect(box.files.readdir('/workspace/node_modules/.bin').map(({ name }) => name)).toEqual(['first', 'second']);
	expect(box.files.readlink('/workspace/node_modules/.bin/first')).toBe('../folder/tools/first');
});

it('links a package that would be inside itself', async () => {
	registry.publish({ name: 'one', version: '1.0.0', dependencies: { two: '1.0.0' } });
	registry.publish({ name: 'one', version: '2.0.0', dependencies: { two: '2.0.0' } });
	registry.publish({ name: 'two', version: '1.0.0', dependencies: { one: '2.0.0' } });
	registry.publish({ name: 'two', version: '2.0.0', dependencies: { one: '1.0.0' } });
	expect((await install({ one: '1.0.0' })).code).toBe(0);
	const links = Object.entries(locked()).filter(([, { link }]) => link);
	expect(links).toEqual([
		['node_modules/two/node_modules/two/node_modules/two', { resolved: expect.any(String), link: true }]
	]);
	const [[place = '', { resolved = '' } = {}] = []] = links;
	expect(box.json(`/workspace/${place}/package.json`)).toMatchObject({ name: 'two', version: '1.0.0' });
	expect(box.files.realpath(`/workspace/${place}`)).toBe(`/workspace/${String(resolved)}`);
	expect((await box.run('npm install')).stdout).toContain('up to date');
	expect((await box.run('npm ci')).code).toBe(0);
	expect(box.files.realpath(`/workspace/${place}`)).toBe(`/workspace/${String(resolved)}`);
});

it('ends where packages push each other out by turns', async () => {
	const releases: [string, string, object?, object?][] = [
		['left', '1.1.0', { middle: '2' }, { optionalDependencies: { side: '1.0.0' } }],
		['middle', '1.1.0', { end: '<2' }],
		['middle', '2.0.0', { end: '2' }],
		['end', '1.0.0', { middle: '1.1.0', other: '2' }],
		['end', '2.0.0', {}, { peerDependencies: { side: '2' } }],
		['side', '1.0.0'],
		['side', '2.0.0', { end: '1.0.0' }],
		['other', '1.1.0'],
		[
			'other',
			'2.0.0',
			{},
			{ peerDependencies: { other: '1.1.0' }, peerDependenciesMeta: { other: { optional: true } } }
		]
	];
	for (const [name, version, dependencies = {}, more = {}] of releases)
		registry.publish({ name, version, dependencies, ...more });
	const { code, stderr } = await install({ left: '1' });
	expect([code, stderr]).toEqual([1, expect.stringContaining('contradict each other without an end')]);
});

it('installs nothing optional that needs what there is not, and keeps it in the lockfile', async () => {
	registry.publish({ name: 'useless', version: '1.0.0', dependencies: { 'nowhere-to-be-found': '1' } });
	registry.publish({ name: 'user', version: '1.0.0', optionalDependencies: { useless: '1' } });
	for (const run of [() => install({ user: '1' }), () => box.run('npm install')]) {
		expect((await run()).code).toBe(0);
		expect(box.has('/workspace/node_modules/user')).toBe(true);
		expect(box.has('/workspace/node_modules/useless')).toBe(false);
		expect(versions()).toEqual({ useless: '1.0.0', user: '1.0.0' });
	}
	registry.publish({ name: 'needing', version: '1.0.0', dependencies: { useless: '1' } });
	expect((await install({ needing: '1' })).stderr).toContain("'nowhere-to-be-found@*' is not in this registry.");
});

it('warns of native code that a package needs, and installs the rest', async () => {
	registry.publish({ name: 'linter', version: '1.0.0', os: 'linux', cpu: 'x64' });
	expect((await install({})).code).toBe(0);
	const { code, stderr } = await box.run('npm install -D linter');
	expect(code).toBe(0);
	expect(stderr).toContain(
		'linter@1.0.0 is native code for linux, x64: it is installed, and cannot run in a browser tab.'
	);
	expect(locked()['node_modules/linter']).toMatchObject({ os: 'linux', cpu: 'x64' });
});

it('refuses addresses of an unknown protocol by their name', async () => {
	const { code, stderr } = await install({ odd: 'patch:odd@1.0.0#fix' });
	expect([code, stderr]).toEqual([
		1,
		expect.stringContaining('Unsupported URL Type "patch:": odd@patch:odd@1.0.0#fix')
	]);
});

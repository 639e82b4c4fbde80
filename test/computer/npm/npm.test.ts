import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { FixtureRegistry } from './fixture-registry.ts';
import { SyscallError } from '#computer/abi/client.ts';
import { fetchDirectly, NpmInMemory } from './in-memory.ts';

let registry: FixtureRegistry;
let box: NpmInMemory;

/** A project configured for our registry. */
function project(manifest: Record<string, unknown>): NpmInMemory {
	box = new NpmInMemory(fetchDirectly);
	box.write('/workspace/.npmrc', `registry=${registry.url}\n`);
	box.write('/workspace/package.json', { name: 'mine', version: '1.0.0', ...manifest });
	return box;
}
const version = (place: string) => box.json(`/workspace/${place}/package.json`)['version'];
const lockOf = (name: string) => (box.json('/workspace/package-lock.json')['packages'] as Record<string, object>)[name];

beforeAll(async () => {
	registry = await new FixtureRegistry().start();
	for (const v of ['1.0.0', '1.2.0', '2.0.0', '2.1.0']) {
		registry.publish({ name: 'leaf', version: v }, { 'index.js': `module.exports = '${v}';\n` });
	}
	registry.publish({ name: 'leaf', version: '3.0.0-beta.1' });
	registry.tag('leaf', 'latest', '2.1.0');
	registry.tag('leaf', 'next', '3.0.0-beta.1');
	registry.publish(
		{ name: 'tool', version: '1.0.0', bin: { tool: './bin/tool.js' }, dependencies: { leaf: '^1.0.0' } },
		{ 'bin/tool.js': '#!/usr/bin/env node\nconsole.log(1);\n', [`deep/${'long-name/'.repeat(12)}file.txt`]: 'x' }
	);
	registry.publish({ name: '@scope/pair', version: '1.0.0', dependencies: { leaf: '2', tool: '*' } });
	registry.publish({ name: 'host', version: '1.0.0' });
	registry.publish({ name: 'host', version: '2.0.0' });
	registry.publish({ name: 'plugin', version: '1.0.0', peerDependencies: { host: '^1.0.0' } });
	registry.publish({ name: 'native-linux', version: '1.0.0', os: ['linux'], cpu: ['x64'] });
	registry.publish({ name: 'fast', version: '1.0.0', optionalDependencies: { 'native-linux': '1.0.0', gone: '1' } });
	registry.publish({ name: 'fast-wasm32', version: '1.0.0', cpu: ['wasm32'], dependencies: { leaf: '2' } });
	registry.publish({
		name: 'faster',
		version: '1.0.0',
		optionalDependencies: { 'native-linux': '1.0.0', 'fast-wasm32': '1.0.0' }
	});
	registry.publish(
		{ name: 'addon', version: '1.0.0', scripts: { install: 'node-gyp rebuild' } },
		{ 'binding.gyp': '{}' }
	);
	registry.publish({ name: 'scripted', version: '1.0.0', scripts: { postinstall: 'node x.js' } });
});
afterAll(() => registry.close());
afterEach(() => (registry.requests.length = 0));

it('says that all files are full, and what to do, without a stack', async () => {
	project({ dependencies: { leaf: '^1.0.0' } });
	box.volume.limit = box.volume.used + 100;
	const { code, stderr } = await box.run('npm install');
	expect(code).toBe(1);
	expect(stderr).toMatch(/^npm error code ENOSPC\nnpm error .*the sandbox is full: .* remove something first\n$/);
});

it('installs what package.json asks for, nested where versions differ, with links to commands and a lockfile', async () => {
	project({ dependencies: { '@scope/pair': '^1.0.0', leaf: '^1.0.0' } });
	const { code, stdout } = await box.run('npm install');
	expect(code).toBe(0);
	expect(stdout).toMatch(/^\nadded 4 packages in \d+m?s\n$/);
	expect(version('node_modules/leaf')).toBe('1.2.0');
	expect(version('node_modules/@scope/pair/node_modules/leaf')).toBe('2.1.0');
	expect(box.files.readlink('/workspace/node_modules/.bin/tool')).toBe('../tool/bin/tool.js');
	expect(box.files.stat('/workspace/node_modules/tool/bin/tool.js').mode & 0o111).not.toBe(0);
	expect(box.has(`/workspace/node_modules/tool/deep/${'long-name/'.repeat(12)}file.txt`)).toBe(true);
	expect(lockOf('node_modules/leaf')).toMatchObject({ version: '1.2.0', integrity: expect.stringMatching(/^sha512-/) });
	expect((await box.run('npm install')).stdout).toMatch(/^\nup to date in/);
});

it('adds packages by range, tag and alias, writes them down and removes them again', async () => {
	project({});
	expect((await box.run('npm i leaf@1 tool -E')).code).toBe(0);
	expect((await box.run('npm i -D old@npm:leaf@next')).code).toBe(0);
	expect(box.json('/workspace/package.json')).toMatchObject({
		dependencies: { leaf: '1.2.0', tool: '1.0.0' },
		devDependencies: { old: 'npm:leaf@^3.0.0-beta.1' }
	});
	expect(version('node_modules/old')).toBe('3.0.0-beta.1');
	expect(lockOf('node_modules/old')).toMatchObject({ name: 'leaf', dev: true });
	const removed = await box.run('npm uninstall tool');
	expect(removed.stdout).toContain('removed 1 package in');
	expect(box.has('/workspace/node_modules/tool')).toBe(false);
	expect(box.has('/workspace/node_modules/.bin/tool')).toBe(false);
	expect(box.json('/workspace/package.json')['dependencies']).toEqual({ leaf: '1.2.0' });
});

it('writes a caret down where the range that was typed allows all of it, and prefers versions for this Node', async () => {
	const engine = (version: string, node: string) =>
		registry.publish({ name: 'engine', version, engines: { node } }, { 'index.js': '' });
	engine('1.0.0', '>=18');
	engine('1.1.0', '>=99');
	engine('2.0.0', '>=99');
	project({});
	await box.run('npm i leaf@1');
	await box.run('npm i tool@1.0.0');
	await box.run('npm i -D old@npm:leaf@1');
	await box.run('npm i engine');
	await box.run('npm i -O later@npm:leaf@~1.2');
	expect(box.json('/workspace/package.json')).toMatchObject({
		dependencies: { leaf: '^1.2.0', tool: '^1.0.0', engine: '^1.0.0' },
		devDependencies: { old: 'npm:leaf@^1.2.0' },
		optionalDependencies: { later: 'npm:leaf@~1.2' }
	});
	// Other package managers record what was typed.
	await box.run('yarn add leaf@1');
	expect(box.json('/workspace/package.json')).toMatchObject({ dependencies: { leaf: '1' } });
	// If all are for another Node, the requested one is installed.
	expect((await box.run('npm i engine@2')).code).toBe(0);
	expect(version('node_modules/engine')).toBe('2.0.0');
});

it('takes the versions of the lockfile, and `ci` refuses one that does not fit', async () => {
	project({ dependencies: { leaf: '^1.0.0' } });
	await box.run('npm i leaf@1.0.0 --no-save');
	const lock = box.read('/workspace/package-lock.json');
	box.files.remove('/workspace/node_modules', { recursive: true });
	box.write('/workspace/package-lock.json', lock);
	expect((await box.run('npm ci')).code).toBe(0);
	expect(version('node_modules/leaf')).toBe('1.0.0');
	box.write('/workspace/package.json', { dependencies: { leaf: '^2.0.0' } });
	const refused = await box.run('npm ci');
	expect(refused.code).toBe(1);
	expect(refused.stderr).toContain("Invalid: lock file's leaf@1.0.0 does not satisfy leaf@^2.0.0");
	expect((await box.run('npm update')).code).toBe(0);
	expect(version('node_modules/leaf')).toBe('2.1.0');
});

it.each(['./lib/near', 'file:lib/near'])('links %s as the lockfile says', async (range) => {
	project({ devDependencies: { near: range } });
	box.write('/workspace/lib/near/package.json', { name: 'near', dependencies: { leaf: '^1.0.0', far: '../far' } });
	box.write('/workspace/lib/far/package.json', { name: 'far' });
	await box.run('npm i leaf@2.0.0 --no-save');
	expect((await box.run('npm i')).code).toBe(0);
	const lock = box.read('/workspace/package-lock.json');
	for (const command of ['npm ci', 'npm ls --all', 'npm i']) {
		box.files.remove('/workspace/node_modules', { recursive: true });
		if (command === 'npm ls --all') await box.run('npm ci');
		expect(await box.run(command), command).toMatchObject({ stderr: '', code: 0 });
		expect(box.files.readlink('/workspace/node_modules/near')).toBe('../lib/near');
		expect(box.files.readlink('/workspace/node_modules/far')).toBe('../lib/far');
		expect(box.read('/workspace/package-lock.json')).toBe(lock);
	}
	box.write('/workspace/package.json', { name: 'mine', devDependencies: { near: 'file:lib/far' } });
	expect((await box.run('npm ci')).stderr).toContain('Missing: near@file:lib/far from lock file');
});

it('asks the registry where the packages of a lockfile without addresses are', async () => {
	project({ dependencies: { leaf: '^1.0.0' } });
	await box.run('npm i leaf@1.0.0 --no-save');
	const lock = box.read('/workspace/package-lock.json').replace(/^\s+"resolved": .*\n/gm, '');
	expect(lock).not.toContain('.tgz');
	box.files.remove('/workspace/node_modules', { recursive: true });
	box.write('/workspace/package-lock.json', lock);
	expect(await box.run('npm ci')).toMatchObject({ code: 0 });
	expect(version('node_modules/leaf')).toBe('1.0.0');
	expect(box.read('/workspace/package-lock.json')).toBe(lock);
});

it('refuses a package whose bytes are not those that were promised, and changes nothing', async () => {
	const other = await new FixtureRegistry().start();
	other.publish({ name: 'leaf', version: '1.0.0' }).tamper('leaf', '1.0.0');
	project({ dependencies: { leaf: '1.0.0' } });
	box.write('/workspace/.npmrc', `registry=${other.url}\n`);
	const { code, stderr } = await box.run('npm install');
	await other.close();
	expect(code).toBe(1);
	expect(stderr).toContain('npm error code EINTEGRITY');
	expect(box.has('/workspace/node_modules')).toBe(false);
	expect(box.has('/workspace/package-lock.json')).toBe(false);
});

it('installs peers, and says which do not go together', async () => {
	project({ dependencies: { plugin: '1' } });
	await box.run('npm install');
	expect(version('node_modules/host')).toBe('1.0.0');
	expect(lockOf('node_modules/host')).toMatchObject({ peer: true });
	project({ dependencies: { plugin: '1', host: '2' } });
	const refused = await box.run('npm install');
	expect(refused.code).toBe(1);
	expect(refused.stderr).toContain('npm error code ERESOLVE');
	expect((await box.run('npm install --force')).code).toBe(0);
});

it('ignores peers by a flag or in .npmrc', async () => {
	project({ dependencies: { plugin: '1' } });
	await box.run('npm install --legacy-peer-deps');
	expect(box.has('/workspace/node_modules/plugin')).toBe(true);
	expect(box.has('/workspace/node_modules/host')).toBe(false);
	project({ dependencies: { plugin: '1', host: '2' } });
	const address = box.read('/workspace/.npmrc');
	box.write('/workspace/.npmrc', `${address}\nlegacy-peer-deps=true\n`);
	expect((await box.run('npm install')).code).toBe(0);
	expect(version('node_modules/host')).toBe('2.0.0');
	box.write('/workspace/.npmrc', address);
});

it('leaves native code and install scripts out and says what to do', async () => {
	project({ dependencies: { fast: '1', addon: '1', scripted: '1' } });
	const { code, stderr } = await box.run('npm install');
	expect(code).toBe(0);
	expect(stderr).toContain('addon@1.0.0 is a native addon, which cannot run in a browser tab.');
	expect(stderr).toContain('scripted@1.0.0 has an install script, which was not run');
	expect(stderr).toContain('1 optional package is native code and left out: native-linux');
	expect(box.has('/workspace/node_modules/native-linux')).toBe(false);
	expect(lockOf('node_modules/native-linux')).toMatchObject({ optional: true, cpu: ['x64'] });
	project({ dependencies: { 'native-linux': '1' } });
	const needed = await box.run('npm install');
	expect(needed.code).toBe(0);
	expect(needed.stderr).toContain(
		'native-linux@1.0.0 is native code for linux, x64: it is installed, and cannot run in a browser tab.'
	);
});

it('takes the WebAssembly release of a package among its optional ones, with what that needs', async () => {
	project({ dependencies: { faster: '1' } });
	expect((await box.run('npm install')).code).toBe(0);
	for (const command of ['npm ls --all', 'npm ci']) expect((await box.run(command)).code).toBe(0);
	expect(version('node_modules/fast-wasm32')).toBe('1.0.0');
	expect(version('node_modules/leaf')).toMatch(/^2\./);
	expect(box.has('/workspace/node_modules/native-linux')).toBe(false);
	expect(lockOf('node_modules/fast-wasm32')).toMatchObject({ optional: true, cpu: ['wasm32'] });
	expect(lockOf('node_modules/leaf')).toMatchObject({ optional: true });
	expect(lockOf('node_modules/native-linux')).toMatchObject({ optional: true, cpu: ['x64'] });
});

it('takes the nearest WebAssembly release where that of the version is not published, and keeps it out of the lockfile', async () => {
	for (const v of ['1.2.1', '1.2.3'])
		registry.publish({ name: 'quick-wasm32', version: v, cpu: ['wasm32'], dependencies: { leaf: '2' } });
	for (const v of ['1.2.4', '2.0.0'])
		registry.publish({ name: 'quick', version: v, optionalDependencies: { 'quick-wasm32': v } });
	project({ dependencies: { quick: '1.2' } });
	const first = await box.run('npm install');
	expect(first.code).toBe(0);
	expect(first.stderr).toContain('quick-wasm32@1.2.4 is not published: 1.2.3, the nearest before it, is installed.');
	for (const command of ['npm ci', 'npm install']) {
		const again = await box.run(command);
		expect(again.code).toBe(0);
		expect(version('node_modules/quick-wasm32')).toBe('1.2.3');
		expect(version('node_modules/leaf')).toMatch(/^2\./);
		expect(lockOf('node_modules/quick')).toMatchObject({ version: '1.2.4' });
		for (const name of ['quick-wasm32', 'leaf']) expect(lockOf(`node_modules/${name}`)).toBeUndefined();
		if (command === 'npm install') expect(again.stdout).toContain('up to date');
	}
	const none = await box.run('npm install quick@2');
	expect(none.stderr).toContain('quick@2.0.0 may not start');
	expect(none.stderr).toContain('The latest is 1.2.3.');
});

it('adds the WebAssembly release that a newer version has and does not depend on, and leaves it out of the lockfile', async () => {
	const part = '@napi/part-linux-x64-gnu';
	const release = '@napi/part-wasm32-wasi';
	const cpus = { [part]: 'x64', [release]: 'wasm32' };
	for (const [name, cpu] of Object.entries(cpus))
		for (const v of ['1.0.0', '1.1.0']) registry.publish({ name, version: v, cpu: [cpu] });
	const named = (v: string, names: string[]) => ({
		optionalDependencies: Object.fromEntries(names.map((n) => [n, v]))
	});
	registry.publish({ name: 'napi', version: '1.0.0', ...named('1.0.0', [part, release]) });
	for (const v of ['1.1.0', '1.2.0']) registry.publish({ name: 'napi', version: v, ...named(v, [part]) });
	// Another author's package may have any name.
	registry.publish({ name: 'stranger', version: '1.0.0', ...named('1.0.0', [part]) });
	project({ dependencies: { napi: '1.1' } });
	for (const command of ['npm install', 'npm ci', 'npm install']) {
		expect((await box.run(command)).code).toBe(0);
		expect(version(`node_modules/${release}`)).toBe('1.1.0');
		expect(lockOf('node_modules/napi')).toMatchObject({ optionalDependencies: { [part]: '1.1.0' } });
		expect(JSON.stringify(box.json('/workspace/package-lock.json'))).not.toContain(release);
	}
	expect((await box.run('npm install napi@1.2')).code).toBe(0);
	expect(version('node_modules/napi')).toBe('1.2.0');
	expect(version(`node_modules/${release}`)).toBe('1.1.0');
	await box.run('npm uninstall napi && npm install stranger');
	expect(box.has(`/workspace/node_modules/${release}`)).toBe(false);
});

it('adds the WebAssembly compiler that Next.js loads and depends on in no version', async () => {
	const part = '@next/swc-linux-x64-gnu';
	const release = '@next/swc-wasm-nodejs';
	for (const v of ['15.1.0', '15.1.1']) {
		registry.publish({ name: part, version: v, cpu: ['x64'] });
		registry.publish({ name: 'next', version: v, optionalDependencies: { [part]: v } });
	}
	registry.publish({ name: release, version: '15.1.0' });
	project({ dependencies: { next: '15.1' } });
	for (const command of ['npm install', 'npm ci', 'npm install']) {
		expect((await box.run(command)).code).toBe(0);
		expect(version('node_modules/next')).toBe('15.1.1');
		expect(version(`node_modules/${release}`)).toBe('15.1.0');
		expect(box.has(`/workspace/node_modules/${part}`)).toBe(false);
		expect(JSON.stringify(box.json('/workspace/package-lock.json'))).not.toContain(release);
	}
});

it('gives a WebAssembly release and its runtime the same copy of what both need', async () => {
	for (const v of ['1.0.0', '1.1.0']) registry.publish({ name: '@emnapi/core', version: v });
	for (const [v, range] of Object.entries({ '1.0.0': '^1.0.0', '1.2.0': '1.1.0' }))
		registry.publish({ name: '@napi-rs/wasm-runtime', version: v, peerDependencies: { '@emnapi/core': range } });
	for (const [name, core] of Object.entries({ alpha: '1.1.0', beta: '1.0.0' })) {
		const release = `@${name}/part-wasm32-wasi`;
		const dependencies = { '@emnapi/core': core, '@napi-rs/wasm-runtime': '^1.0.0' };
		registry.publish({ name: release, version: '1.0.0', cpu: ['wasm32'], dependencies });
		registry.publish({ name, version: '1.0.0', optionalDependencies: { [release]: '1.0.0' } });
	}
	project({ dependencies: { alpha: '1', beta: '1' } });
	for (const command of ['npm install', 'npm ci']) {
		expect((await box.run(command)).code).toBe(0);
		expect(version('node_modules/@emnapi/core')).toBe('1.1.0');
		const nested = 'node_modules/@beta/part-wasm32-wasi/node_modules';
		expect(version('node_modules/@napi-rs/wasm-runtime')).toBe('1.2.0');
		expect(version(`${nested}/@emnapi/core`)).toBe('1.0.0');
		expect(version(`${nested}/@napi-rs/wasm-runtime`)).toBe('1.0.0');
	}
});

it('says of a package that all of its parts are native, and what to do', async () => {
	for (const cpu of ['x64', 'arm64', 'wasm32']) registry.publish({ name: `part-${cpu}`, version: '1.0.0', cpu: [cpu] });
	const optionalDependencies = { 'part-x64': '1.0.0', 'part-arm64': '1.0.0' };
	const older = { ...optionalDependencies, 'part-wasm32': '1.0.0' };
	registry.publish({ name: 'whole', version: '1.0.0', optionalDependencies: older });
	for (const name of ['whole', 'oxlint', 'bare']) registry.publish({ name, version: '2.0.0', optionalDependencies });
	project({ dependencies: { whole: '2', oxlint: '2', bare: '2' } });
	const { stderr } = await box.run('npm install');
	expect(stderr).toContain('oxlint@2.0.0 is native code alone, which cannot run here. Lint with eslint.');
	expect(stderr).toContain('Version 1.0.0 was the last that is published in WebAssembly, too.');
	expect(stderr).toContain('bare@2.0.0 is native code alone, which cannot run here. What needs it does not start.');
});

it('unpacks what is published in WebAssembly in place of a native program, and keeps the lockfile for other machines', async () => {
	const scripts = { postinstall: 'node install.js' };
	for (const v of ['0.25.0', '0.26.0']) registry.publish({ name: 'esbuild', version: v, bin: 'bin/esbuild', scripts });
	registry.publish({ name: 'esbuild-wasm', version: '0.25.0' }, { 'bin/esbuild': '#!/usr/bin/env node\n' });
	project({ dependencies: { esbuild: '0.25' } });
	const { code, stderr } = await box.run('npm install');
	expect(code).toBe(0);
	expect(stderr).toContain('esbuild-wasm, the same in WebAssembly, is in its place');
	expect(box.json('/workspace/node_modules/esbuild/package.json')).toMatchObject({ name: 'esbuild-wasm' });
	expect(lockOf('node_modules/esbuild')).toMatchObject({ resolved: expect.stringMatching(/esbuild-0\.25\.0\.tgz$/) });
	expect((await box.run('npm ci')).code).toBe(0);
	expect(box.json('/workspace/node_modules/esbuild/package.json')).toMatchObject({ name: 'esbuild-wasm' });
	// Without such a version, the package itself is used.
	expect((await box.run('npm install esbuild@0.26')).code).toBe(0);
	expect(box.json('/workspace/node_modules/esbuild/package.json')).toMatchObject({
		name: 'esbuild',
		version: '0.26.0'
	});
});

it('obeys overrides and links workspaces', async () => {
	project({ dependencies: { tool: '1' }, overrides: { tool: { leaf: '2.0.0' } }, workspaces: ['packages/*'] });
	box.write('/workspace/packages/a/package.json', { name: 'a', version: '1.0.0', dependencies: { leaf: '1.0.0' } });
	box.write('/workspace/packages/b/package.json', { name: 'b', version: '1.0.0', dependencies: { a: '*' } });
	expect((await box.run('npm install')).code).toBe(0);
	expect(box.files.readlink('/workspace/node_modules/a')).toBe('../packages/a');
	const versions = [version('node_modules/leaf'), version('packages/a/node_modules/leaf')];
	expect(versions.sort()).toEqual(['1.0.0', '2.0.0']);
	expect(lockOf('node_modules/b')).toEqual({ resolved: 'packages/b', link: true });
});

it('waits for the registry once for each level, not for each package, and fetches packages meanwhile', async () => {
	for (const name of ['left', 'right'])
		registry
			.publish({ name, version: '1.0.0', dependencies: { [`${name}-below`]: '1' } })
			.publish({ name: `${name}-below`, version: '1.0.0' });
	project({ dependencies: { left: '1', right: '1' } });
	const asked = (part: string) =>
		vi.waitFor(() => expect(box.requests.some((url) => url.endsWith(part))).toBe(true), 10_000);
	box.fetch = async (request) => {
		// A client that requests one thing at a time never gets these.
		if (request.url.endsWith('/left-below')) await Promise.all([asked('/right-below'), asked('/-/right-1.0.0.tgz')]);
		return fetchDirectly(request);
	};
	expect((await box.run('npm install')).code).toBe(0);
	expect(box.requests).toHaveLength(new Set(box.requests).size);
	expect(box.requests).toHaveLength(8);
});

it('refuses packages from Git, and says where names and versions are wrong', async () => {
	project({});
	expect((await box.run('npm i someone/repository')).stderr).toContain('cannot install in this sandbox');
	expect((await box.run('npm i nowhere-at-all')).stderr).toContain('npm error code E404');
	expect((await box.run('npm i leaf@9')).stderr).toContain('No matching version found for leaf@9.');
});

it('says that there is no network, and leaves the project as it was', async () => {
	project({ dependencies: { leaf: '1' } });
	box.fetch = null;
	const { code, stderr } = await box.run('npm install');
	expect(code).toBe(1);
	expect(stderr).toContain('npm error code ENETWORK');
	expect(box.has('/workspace/node_modules')).toBe(false);
});

it('repeats requests that a weak network or a busy registry fails', async () => {
	project({ dependencies: { leaf: '1.0.0' } });
	const failures = new Map<string, number>();
	box.fetch = async (request) => {
		const before = failures.get(request.url) ?? 0;
		failures.set(request.url, before + 1);
		if (before === 0) throw new SyscallError('ENETUNREACH', 'the connection was lost');
		const answer = await fetchDirectly(request);
		return before === 1 ? { ...answer, status: 503 } : answer;
	};
	expect(await box.run('npm install')).toMatchObject({ code: 0 });
	expect(new Set(failures.values())).toEqual(new Set([3]));
	expect(box.has('/workspace/node_modules/leaf/package.json')).toBe(true);
});

it('asks once for what the page refuses', async () => {
	project({ dependencies: { leaf: '1.0.0' } });
	box.fetch = () => Promise.reject(new SyscallError('ECONNREFUSED', 'not allowed'));
	expect((await box.run('npm install')).stderr).toContain('npm error code ECONNREFUSED');
	expect(box.requests).toHaveLength(1);
});

it('leaves node_modules as it was when it is interrupted', async () => {
	project({ dependencies: { leaf: '1.0.0' } });
	await box.run('npm install');
	box.write('/workspace/package.json', { dependencies: { leaf: '2', tool: '1' } });
	box.fetch = async (request) => {
		if (request.url.endsWith('.tgz')) box.interrupt();
		return fetchDirectly(request);
	};
	expect((await box.run('npm install')).code).toBe(130);
	expect(version('node_modules/leaf')).toBe('1.0.0');
	expect(box.has('/workspace/node_modules/tool')).toBe(false);
	expect(box.has('/workspace/node_modules/.staging')).toBe(false);
});

it.each([
	['pkg get name', '"mine"\n'],
	['pkg get name version', '{\n  "name": "mine",\n  "version": "1.0.0"\n}\n'],
	['pkg get scripts.test nope', '{\n  "scripts.test": "a"\n}\n'],
	['pkg get nope', '{}\n'],
	['pkg get files[1]', '"two"\n'],
	['pkg get files.0', '"one"\n']
])('reads package.json: npm %s', async (command, printed) => {
	project({ scripts: { test: 'a' }, files: ['one', 'two'] });
	expect(await box.run(`npm ${command}`)).toMatchObject({ code: 0, stdout: printed });
});

it('changes package.json by keys, and keeps its indentation', async () => {
	project({});
	box.write('/workspace/package.json', '{\n\t"name": "mine",\n\t"files": ["one", "two"]\n}\n');
	const { code } = await box.run('npm pkg set scripts.test=vitest files[]=three authors[].name=A=B');
	expect(code).toBe(0);
	await box.run('npm pkg set private=true --json');
	await box.run('npm pkg delete files[0] nope.deep');
	expect(box.read('/workspace/package.json')).toBe(
		`${JSON.stringify(
			{
				name: 'mine',
				files: ['two', 'three'],
				scripts: { test: 'vitest' },
				authors: [{ name: 'A=B' }],
				private: true
			},
			null,
			'\t'
		)}\n`
	);
});

it.each([
	['pkg', 'Usage:'],
	['pkg set', 'expects key=value pairs'],
	['pkg set name', 'expects key=value pairs'],
	['pkg delete', 'expects keys'],
	['pkg set scripts.test.z=1', 'Property test already exists and is not an Array or Object.'],
	['pkg set files.x=1', 'add [] to append to it'],
	['pkg set private=tru --json', 'a value is JSON; tru is not'],
	['pkg set __proto__.polluted=1', 'is no key of package.json']
])('says what is wrong with npm %s, and changes nothing', async (command, message) => {
	project({ scripts: { test: 'a' }, files: ['one'] });
	const before = box.read('/workspace/package.json');
	expect(await box.run(`npm ${command}`)).toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
	expect(box.read('/workspace/package.json')).toBe(before);
});

it('lists what is installed and shows what the registry says', async () => {
	project({ dependencies: { tool: '1' } });
	await box.run('npm install');
	expect((await box.run('npm ls --all')).stdout).toBe('mine@1.0.0 /workspace\n└─┬ tool@1.0.0\n  └── leaf@1.2.0\n\n');
	expect((await box.run('npm view leaf dist-tags.next')).stdout).toBe('3.0.0-beta.1\n');
	box.files.remove('/workspace/package.json');
	expect((await box.run('npm init -y')).code).toBe(0);
	expect(box.json('/workspace/package.json')).toMatchObject({ name: 'workspace', version: '1.0.0', main: 'index.js' });
});

it('installs express with all it needs, as npm itself placed it', async () => {
	registry.publishInstalled('express', path.resolve('.'));
	project({ dependencies: { express: '*' } });
	const { code, stdout } = await box.run('npm install');
	expect(code).toBe(0);
	expect(stdout).toMatch(/added \d\d packages/);
	expect(box.has('/workspace/node_modules/express/lib/express.js')).toBe(true);
});

it('removes and writes nothing outside node_modules, whatever a lockfile or a dependency is called', async () => {
	const list = { src: {}, 'node_modules/../src': {}, 'node_modules/a/node_modules/../../../src': {} };
	project({ dependencies: { leaf: '1' } });
	box.write('/workspace/src/mine.js', '1');
	box.write('/workspace/node_modules/.package-lock.json', { lockfileVersion: 3, packages: list });
	expect((await box.run('npm install')).code).toBe(0);
	expect(box.has('/workspace/src/mine.js')).toBe(true);
	project({ dependencies: { '../src': '1' } });
	const { code, stderr } = await box.run('npm install');
	expect([code, stderr]).toEqual([1, expect.stringContaining('Invalid package name "../src"')]);
});

it('installs commands for everywhere, of a project or none', async () => {
	project({});
	expect((await box.run('npm install -g tool')).code).toBe(0);
	expect(box.has('/home/user/.npm-global/node_modules/.bin/tool')).toBe(true);
	expect(box.has('/workspace/node_modules')).toBe(false);
	expect((await box.run('npm i -g node@22')).stdout).toBe('node@22: a command of this sandbox already.\n');
	expect((await box.run('npm ls -g')).stdout).toContain('tool@1.0.0');
	expect((await box.run('npm uninstall -g tool')).code).toBe(0);
	expect(box.has('/home/user/.npm-global/node_modules/.bin/tool')).toBe(false);
});

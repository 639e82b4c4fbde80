import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FixtureRegistry } from './fixture-registry.ts';
import { fetchDirectly, NpmInMemory } from './in-memory.ts';

let registry: FixtureRegistry;
let box: NpmInMemory;
const version = (place: string) => box.json(`/workspace/${place}/package.json`)['version'];
/** Processes started since the last call: directory and command line. */
const started = () => box.spawned.splice(0).map(({ cwd, argv }) => `${cwd}$ ${argv.join(' ')}`);

beforeAll(async () => {
	registry = await new FixtureRegistry().start();
	for (const v of ['1.0.0', '1.1.0', '1.2.0', '2.0.0']) registry.publish({ name: 'leaf', version: v });
	for (const v of ['1.0.0', '1.5.0'])
		registry.publish({ name: '@scope/pair', version: v, dependencies: { leaf: '^1.0.0' } });
	registry.publish({ name: 'plugin', version: '1.0.0', peerDependencies: { leaf: '^1.0.0' } });
	registry.publish({ name: 'tool', version: '1.0.0', bin: 'tool.js' }, { 'tool.js': '#!/usr/bin/env node\n' });
});
afterAll(() => registry.close());
beforeEach(() => {
	box = new NpmInMemory(fetchDirectly);
	box.write('/workspace/.npmrc', `registry=${registry.url}\n`);
});

describe('the lockfile of another package manager', () => {
	const locks: Record<string, string> = {
		'pnpm-lock.yaml': `lockfileVersion: '9.0'\n\npackages:\n\n  '@scope/pair@1.0.0':\n    resolution: {integrity: x}\n\n  leaf@1.1.0:\n    resolution: {integrity: y}\n`,
		'yarn.lock': `# yarn lockfile v1\n\n\n"@scope/pair@^1.0.0":\n  version "1.0.0"\n  resolved "x"\n\nleaf@1, leaf@^1.0.0:\n  version "1.1.0"\n`,
		'bun.lock': `{\n  "lockfileVersion": 1,\n  "packages": {\n    "@scope/pair": ["@scope/pair@1.0.0", "", {}],\n\n    "leaf": ["leaf@1.1.0", "", {}],\n  }\n}\n`
	};
	const older = `lockfileVersion: '6.0'\n\npackages:\n\n  /@scope/pair@1.0.0(leaf@1.1.0):\n    dev: false\n\n  /leaf@1.1.0:\n    dev: false\n`;
	const berry = `__metadata:\n  version: 8\n\n"@scope/pair@npm:^1.0.0":\n  version: 1.0.0\n  resolution: "x"\n\n"leaf@npm:^1.0.0":\n  version: 1.1.0\n`;

	it.each([...Object.entries(locks), ['pnpm-lock.yaml', older], ['yarn.lock', berry]])(
		'gives the versions that %s names, and stays as it is',
		async (file, text) => {
			box.write('/workspace/package.json', { name: 'mine', dependencies: { '@scope/pair': '^1.0.0' } });
			box.write(`/workspace/${file}`, text);
			const manager = file.startsWith('pnpm') ? 'pnpm' : file.startsWith('yarn') ? 'yarn' : 'bun';
			expect((await box.run(`${manager} install`)).code).toBe(0);
			expect([version('node_modules/@scope/pair'), version('node_modules/leaf')]).toEqual(['1.0.0', '1.1.0']);
			expect(box.read(`/workspace/${file}`)).toBe(text);
			expect(box.has('/workspace/package-lock.json')).toBe(false);
			expect((await box.run(`${manager} add leaf@2 -D`)).code).toBe(0);
			expect(box.json('/workspace/package.json')).toMatchObject({ devDependencies: { leaf: '2' } });
		}
	);
});

describe.each(['pnpm', 'yarn', 'bun'])('%s install', (manager) => {
	it('warns of peers that do not fit, and goes on', async () => {
		box.write('/workspace/package.json', { name: 'mine', dependencies: { plugin: '1', leaf: '2' } });
		expect((await box.run('npm install')).stderr).toContain('ERESOLVE');
		const { code, stderr } = await box.run(`${manager} install`);
		expect(stderr).toContain('peer leaf@"^1.0.0" from plugin@1.0.0; leaf@2.0.0 is used');
		expect(code).toBe(0);
		expect([version('node_modules/plugin'), version('node_modules/leaf')]).toEqual(['1.0.0', '2.0.0']);
	});

	it.each(['link', 'portal'])('links the directory of %s:', async (protocol) => {
		box.write('/workspace/package.json', { name: 'mine', devDependencies: { config: `${protocol}:tools/config` } });
		box.write('/workspace/tools/config/package.json', { name: 'config', version: '1.0.0' });
		expect(await box.run(`${manager} install`)).toMatchObject({ stderr: '', code: 0 });
		expect(box.files.readlink('/workspace/node_modules/config')).toContain('tools/config');
	});
});

it.each(['npm', 'pnpm', 'yarn', 'bun'])(
	'%s explains its commands, and installs nothing, where help is asked for',
	async (name) => {
		box.write('/workspace/package.json', { name: 'mine', dependencies: { leaf: '1' } });
		for (const line of ['install --help', 'add tool -h', 'remove leaf --help']) {
			const { stdout, code } = await box.run(`${name} ${line}`);
			expect(stdout, line).toContain('npm install');
			expect(code, line).toBe(0);
		}
		expect(box.has('/workspace/node_modules')).toBe(false);
		expect(box.json('/workspace/package.json')['dependencies']).toEqual({ leaf: '1' });
	}
);

it('says that a yarn of the project’s own does not run, and installs by its lockfile', async () => {
	box.write('/workspace/package.json', { name: 'mine', dependencies: { leaf: '1' } });
	box.write('/workspace/.yarnrc.yml', 'nodeLinker: node-modules\nyarnPath: .yarn/releases/yarn-4.5.0.cjs\n');
	const { stderr, code } = await box.run('yarn install');
	expect(stderr).toContain(
		'.yarn/releases/yarn-4.5.0.cjs of .yarnrc.yml does not run in this sandbox: npm does the work'
	);
	expect(code).toBe(0);
	expect(version('node_modules/leaf')).toBe('1.2.0');
	expect((await box.run('yarn run')).stderr).toBe('');
});

describe('pnpm, yarn and bun', () => {
	beforeEach(() => {
		box.write('/workspace/package.json', { name: 'mine', scripts: { test: 'vitest', build: 'tsc' } });
		box.write('/workspace/node_modules/.bin/eslint', '');
	});
	const of = async (line: string) => {
		const { code, stderr } = await box.run(line);
		return stderr ? `${code} ${stderr.split('\n')[0]}` : started().join(' && ');
	};

	it.each([
		['pnpm test', 'sh -c vitest'],
		['pnpm run build --watch', 'sh -c tsc --watch'],
		['pnpm build -w x', 'sh -c tsc -w x'],
		['pnpm -s test -- a', 'sh -c vitest a'],
		['pnpm eslint . --fix', '/workspace/node_modules/.bin/eslint . --fix'],
		['pnpm exec eslint .', '/workspace/node_modules/.bin/eslint .'],
		['yarn build --watch', 'sh -c tsc --watch'],
		['yarn run test a.ts', 'sh -c vitest a.ts'],
		['yarn eslint -c x', '/workspace/node_modules/.bin/eslint -c x'],
		['yarn node a.js', 'node a.js'],
		['yarn --cwd . build', 'sh -c tsc'],
		['bun run build', 'sh -c tsc'],
		['bun src/main.ts --port 1', 'node src/main.ts --port 1'],
		['bun --watch run a.tsx', 'node --watch a.tsx'],
		['bunx eslint .', '/workspace/node_modules/.bin/eslint .'],
		['corepack pnpm test', 'sh -c vitest']
	])('%s runs %s', async (line, command) => {
		expect(await of(line)).toBe(`/workspace$ ${command}`);
	});

	it('tell what they run who they are', async () => {
		await box.run('pnpm test');
		expect(box.spawned.pop()?.env['npm_config_user_agent']).toMatch(/^pnpm\/10/);
		await box.run('npx eslint');
		expect(box.spawned.pop()?.env['npm_config_user_agent']).toMatch(/^npm\/11/);
	});

	it('say what they do not know, and do nothing', async () => {
		expect(await of('pnpm nothing')).toBe('1 pnpm error Command "nothing" not found.');
		expect(await of('yarn publish')).toMatch(/^1 yarn error yarn publish is not available in this sandbox/);
		expect(await of('bun test')).toMatch(/^1 bun error bun test runs tests of "bun:test"/);
		expect((await box.run('corepack enable')).code).toBe(0);
		expect((await box.run('pnpm -v')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
		expect(started()).toEqual([]);
	});
});

describe('a project of several packages', () => {
	beforeEach(() => {
		const scripts = { build: 'tsc' };
		box.write('/workspace/package.json', { name: 'all', private: true, scripts });
		box.write(
			'/workspace/pnpm-workspace.yaml',
			'packages:\n  - "packages/*"\n  - "!packages/old"\ncatalog:\n  leaf: ^1.0.0\n'
		);
		box.write('/workspace/packages/app/package.json', {
			name: '@my/app',
			version: '1.0.0',
			scripts,
			dependencies: { '@my/lib': 'workspace:*', leaf: 'catalog:' }
		});
		box.write('/workspace/packages/lib/package.json', { name: '@my/lib', version: '1.0.0', scripts });
		box.write('/workspace/packages/docs/package.json', { name: 'docs', version: '1.0.0' });
		box.write('/workspace/packages/old/package.json', { name: 'old', version: '1.0.0', scripts });
	});

	it('is installed from anywhere in it, with its catalog, and again without harm to its packages', async () => {
		for (const line of ['pnpm install', 'npm install', 'npm install', 'npm ci']) {
			expect(await box.run(line, '/workspace/packages/app')).toMatchObject({ stderr: '', code: 0 });
			expect(box.files.readlink('/workspace/node_modules/@my/lib')).toContain('packages/lib');
			expect(box.has('/workspace/packages/lib/package.json')).toBe(true);
		}
		expect(version('node_modules/leaf')).toBe('1.2.0');
		expect(box.has('/workspace/node_modules/old')).toBe(false);
		expect(box.has('/workspace/packages/app/node_modules')).toBe(false);
	});

	it.each(['workspace:^', 'link:../..', 'file:../..'])(
		'is linked for a package of it that needs the whole by %s',
		async (range) => {
			box.write('/workspace/package.json', {
				name: 'all',
				version: '2.0.0',
				bin: 'all.js',
				dependencies: { leaf: '1' }
			});
			box.write('/workspace/all.js', '#!/usr/bin/env node\n');
			box.write('/workspace/packages/docs/package.json', {
				name: 'docs',
				version: '1.0.0',
				devDependencies: { all: range }
			});
			for (const line of ['yarn install', 'yarn install', 'pnpm install', 'npm ls --all'])
				expect(await box.run(line), line).toMatchObject({ stderr: '', code: 0 });
			expect(version('node_modules/all')).toBe('2.0.0');
			expect(box.files.realpath('/workspace/node_modules/all')).toBe('/workspace');
			expect(box.files.realpath('/workspace/node_modules/.bin/all')).toBe('/workspace/all.js');
			expect(version('node_modules/leaf')).toBe('1.2.0');
			box.write('/workspace/packages/docs/package.json', { name: 'docs', devDependencies: { nobody: 'workspace:^' } });
			expect((await box.run('yarn install')).stderr).toContain('No workspace of this project is called nobody.');
		}
	);

	it('has packages added to the one that is meant, and taken out of it', async () => {
		for (const line of ['pnpm --filter docs add leaf@1.0.0', 'npm install @my/lib -D -w docs'])
			expect(await box.run(line)).toMatchObject({ stderr: '', code: 0 });
		expect((await box.run('pnpm add tool', '/workspace/packages/lib')).code).toBe(0);
		expect(box.json('/workspace/packages/lib/package.json')).toMatchObject({ dependencies: { tool: '^1.0.0' } });
		const docs = '/workspace/packages/docs/package.json';
		expect(box.json(docs)).toMatchObject({ dependencies: { leaf: '1.0.0' }, devDependencies: { '@my/lib': '*' } });
		expect((await box.run('npm install leaf@9 -w docs')).stderr).toContain('No matching version found for leaf@9');
		expect(box.json(docs)).toMatchObject({ dependencies: { leaf: '1.0.0' } });
		expect((await box.run('npm uninstall tool', '/workspace/packages/lib')).code).toBe(0);
		expect(box.json('/workspace/packages/lib/package.json')['dependencies']).toBeUndefined();
	});

	it.each([
		['pnpm -r build', ['lib', 'app']],
		['pnpm --filter @my/app... run build', ['lib', 'app']],
		['pnpm --filter ./packages/lib build', ['lib']],
		['pnpm -F @my/* build', ['lib', 'app']],
		['yarn workspace @my/app build', ['app']],
		['yarn workspaces foreach -A -pt run build', ['lib', 'app']],
		['bun run --filter @my/lib build', ['lib']],
		['npm run build --workspaces --if-present', ['app', 'lib']],
		['npm run build -w @my/lib -w packages/app', ['app', 'lib']]
	])('%s runs in %s', async (line, packages) => {
		expect((await box.run(line)).code).toBe(0);
		expect(started()).toEqual(packages.map((name) => `/workspace/packages/${name}$ sh -c tsc`));
	});

	it('stops at the first failure, where npm goes on, and says which names there are', async () => {
		box.codeOf = () => 3;
		expect((await box.run('pnpm -r build')).code).toBe(3);
		expect(started()).toHaveLength(1);
		expect((await box.run('npm run build -ws --if-present')).code).toBe(3);
		expect(started()).toHaveLength(2);
		expect(await box.run('npm test -w nobody')).toMatchObject({
			code: 1,
			stderr: expect.stringContaining('There are: @my/app, docs, @my/lib')
		});
	});
});

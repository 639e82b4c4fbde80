import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { filesBelow } from '../../../conformance/files-below.ts';
import { checkout } from '../../../soak/projects/checkout.ts';
import { PROJECTS } from '../../../soak/projects/manifest.ts';
import { median, missing, row, type Row } from '../../row.ts';
import { generatedRepository } from '../generated-repository.ts';
import { openTabWorld, type Product, type TabWorld } from '../world.ts';
import { openBothSides, type BothSides, type Tree } from './both-sides.ts';
import { MANY_PACKAGES, SITE_PACKAGES } from './packages.ts';
import { RegistryCopy } from '../../../computer/npm/registry-copy.ts';
import { MODULES, siteFiles, SUITES, TESTS_EACH } from './site.ts';

const RUNS = 3;
const SEED = 20_261_129;
const RESULT_MS = 2_000;
const INSTALL = 'npm ci --ignore-scripts --no-audit --no-fund';
const EXPRESS = 'expressjs/express';

interface Scene {
	world: TabWorld;
	registry: RegistryCopy;
	/** Directory for the native sides. */
	scratch: string;
}

/**
 * Measures whole steps of real work compared with the same commands run natively: installing, type checks, tests,
 * builds, git.
 */
export async function projectRows(product: Product, cache: string): Promise<Row[]> {
	const source = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
	const registry = await new RegistryCopy(path.join(cache, 'registry'), source).start();
	const world = await openTabWorld(product, { NPM_REGISTRY: registry.url }).catch(async (error: unknown) => {
		await registry.close();
		throw error;
	});
	const scene = { world, registry, scratch: mkdtempSync(path.join(tmpdir(), 'bench-projects-')) };
	try {
		return [
			...(await inProject(
				scene,
				'npm ci of 1,700 packages',
				async () => locked(cache, MANY_PACKAGES, {}),
				manyPackages
			)),
			...(await inProject(scene, 'a site', async () => locked(cache, SITE_PACKAGES, siteFiles()), siteRows)),
			...(await inProject(
				scene,
				'git status of 10,000 files',
				async () => generatedRepository(SEED, 10_000, 1_000),
				statusRows
			)),
			...(await inProject(scene, "express' own tests", expressTree, expressRows))
		];
	} finally {
		await world.close();
		await registry.close();
		rmSync(scene.scratch, { recursive: true, force: true });
	}
}

/** Runs the work; if a project cannot be prepared, returns a row that says why. @param name name of that row */
async function inProject(
	{ world, registry, scratch }: Scene,
	name: string,
	tree: () => Promise<Tree>,
	measure: (sides: BothSides) => AsyncIterable<Row>
): Promise<Row[]> {
	const rows: Row[] = [];
	try {
		const sides = await openBothSides(world, registry, path.join(scratch, 'project'), await tree());
		for await (const measured of measure(sides)) {
			rows.push(measured);
			console.log(`  ${measured.name}: ${String(measured.ours)} ${measured.unit}, ${String(measured.ratio)} ×`);
		}
		await sides.page.context().close();
	} catch (error) {
		rows.push(missing(name, 'ms', error));
	}
	return rows;
}

async function* manyPackages(sides: BothSides): AsyncIterable<Row> {
	const name = 'npm ci of 1,700 packages, nothing cached';
	// The first installation fills the copy of the registry.
	await sides.native(INSTALL);
	await sides.native('rm -rf node_modules ../home');
	const native = await sides.native(INSTALL);
	const ours = await sides.here(INSTALL);
	const result = await sides.here('ls -a node_modules/.bin | wc -l');
	const expected = await sides.native('ls -a node_modules/.bin | wc -l');
	if (result.stdout.trim() !== expected.stdout.trim())
		throw new Error(`${result.stdout.trim()} commands here, ${expected.stdout.trim()} natively`);
	yield beside(name, 1.5, [ours], [native], 'once; the registry is a copy on the loopback');
	yield row({
		name: 'the same, from its end to the answer of the next command',
		unit: 'ms',
		ours: result.ms,
		against: { name: 'limit', value: RESULT_MS },
		bound: 1
	});
}

async function* siteRows(sides: BothSides): AsyncIterable<Row> {
	for (const side of [sides.native.bind(sides), sides.here.bind(sides)]) await side(INSTALL);
	const again = `rm -rf node_modules && ${INSTALL}`;
	yield await compare(sides, 'npm ci of 300 packages, all cached', again, 0.5, () => true);
	yield await compare(
		sides,
		`tsc --noEmit on ${MODULES} files`,
		'npx tsc --noEmit --listFiles | grep -c types/part-',
		2,
		(out) => out.trim() === String(MODULES)
	);
	yield await compare(sides, `jest, ${SUITES} suites`, 'npx jest 2>&1', 2, (out) =>
		out.includes(`Tests:       ${SUITES * TESTS_EACH} passed, ${SUITES * TESTS_EACH} total`)
	);
	yield await compare(
		sides,
		'vite build of 200 components',
		'npx vite build && ls dist/assets | wc -l',
		2,
		(out) => out.trim() === '2'
	);
}

async function* statusRows(sides: BothSides): AsyncIterable<Row> {
	const commit =
		'{ test -d .git || git init -q; } && git add -A && git -c user.name=A -c user.email=a@b.example commit -qm All --allow-empty';
	for (const side of [sides.native.bind(sides), sides.here.bind(sides)]) await side(commit);
	yield await compare(sides, 'git status of 10,000 files', 'git status --porcelain', 3, (out) => out === '');
}

async function* expressRows(sides: BothSides): AsyncIterable<Row> {
	const install = 'npm install --ignore-scripts --no-audit --no-fund';
	for (const side of [sides.native.bind(sides), sides.here.bind(sides)]) await side(install);
	const { tests } = express();
	yield await compare(sides, "express' own tests", tests, 2, (out) => /^# fail 0$/m.test(out));
}

async function expressTree(): Promise<Tree> {
	const folder = checkout(express());
	try {
		const tree: Tree = {};
		for await (const name of filesBelow(folder, '.'))
			tree[path.normalize(name)] = readFileSync(path.join(folder, name));
		return tree;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

function express(): (typeof PROJECTS)[number] {
	const found = PROJECTS.find(({ repository }) => repository === EXPRESS);
	if (!found) throw new Error(`${EXPRESS} is no project of the list`);
	return found;
}

/** Runs the same command on both sides: once to warm up, then {@link RUNS} times. @param isRight checks its output */
async function compare(
	sides: BothSides,
	name: string,
	command: string,
	bound: number,
	isRight: (stdout: string) => boolean
): Promise<Row> {
	try {
		const native = [];
		const ours = [];
		for (let run = -1; run < RUNS; run++) {
			const [there, here] = [await sides.native(command), await sides.here(command)];
			for (const [side, { stdout }] of [
				['natively', there],
				['here', here]
			] as const)
				if (!isRight(stdout)) throw new Error(`${command} printed ${side}: ${stdout.slice(-500)}`);
			if (run < 0) continue;
			native.push(there);
			ours.push(here);
		}
		return beside(name, bound, ours, native, `median of ${RUNS}, after one that is not counted`);
	} catch (error) {
		return missing(name, 'ms', error);
	}
}

function beside(
	name: string,
	bound: number,
	ours: readonly { ms: number }[],
	native: readonly { ms: number }[],
	note: string
): Row {
	const middle = (runs: readonly { ms: number }[]) => median(runs.map(({ ms }) => ms));
	const against = { name: `natively, Node ${process.versions.node}`, value: middle(native) };
	return row({ name, unit: 'ms', ours: middle(ours), against, bound, note });
}

/** A project with a lock file, which the native npm makes once per manifest. */
function locked(cache: string, manifest: object, files: Record<string, string>): Tree {
	const text = JSON.stringify(manifest, null, 2);
	const folder = path.join(cache, 'locks', createHash('sha256').update(text).digest('hex').slice(0, 16));
	if (!existsSync(path.join(folder, 'package-lock.json'))) {
		mkdirSync(folder, { recursive: true });
		writeFileSync(path.join(folder, 'package.json'), text);
		const flags = ['--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund'];
		// The default of lock files, whatever the machine's own npm is configured for.
		execFileSync('npm', ['install', ...flags, '--omit-lockfile-registry-resolved=false'], {
			cwd: folder,
			stdio: ['ignore', 'ignore', 'inherit']
		});
	}
	return { ...files, 'package.json': text, 'package-lock.json': readFileSync(path.join(folder, 'package-lock.json')) };
}

import { absolute } from '#computer/abi/paths.ts';
import type { ProcessContext } from '#computer/process/program.ts';
import { NpmError } from '../errors.ts';
import { inside } from '../manifest.ts';
import type { Output } from '../output.ts';
import type { PackageManifest } from '../registry/packument.ts';
import type { Registry } from '../registry/registry.ts';
import { standInFor } from '../registry/stand-ins.ts';
import { isWasmRelease } from '../registry/wasm-release.ts';
import { buildTree } from '../tree/build.ts';
import { prune } from '../tree/flags.ts';
import { lockedElsewhere } from '../tree/foreign-lockfile.ts';
import { extraneousOf, lockPath, readLock, writeLock, hiddenLockPath } from '../tree/lockfile.ts';
import type { TreeNode } from '../tree/node.ts';
import { linkLocal, openProject, plantProject } from '../tree/project.ts';
import { watchInterruption } from './interruption.ts';
import type { InstallOptions } from './options.ts';
import { Progress } from './progress.ts';
import { reify } from './reify.ts';
import { summary, warnings } from './report.ts';

export interface Installation {
	context: ProcessContext;
	output: Output;
	registry: Registry;
	/** Directory with `node_modules` and the lockfile. */
	project: string;
	/** Directory whose package.json lists what is added: the project itself, or one of its packages. */
	member: string;
	options: InstallOptions;
}

/**
 * Makes `node_modules` and package-lock.json match `manifest`.
 * @param forget packages to resolve again, ignoring the lockfile
 * @returns the tree
 * @throws NpmError, Interrupted; the project is unchanged then
 */
export async function install(
	{ context, output, registry, project, options }: Installation,
	manifest: PackageManifest,
	forget: readonly string[] | 'all' = []
): Promise<TreeNode> {
	const started = performance.now();
	const { sync } = context;
	const checkpoint = watchInterruption(context);
	const progress = new Progress(context, options.silent);
	const deprecated: string[] = [];
	try {
		const root = openProject(sync, project, manifest, options.legacyPeers);
		// Packages that are not installed, or may be omitted, must not be fetched.
		const mayAskAhead = !options.dryRun && !options.lockOnly && options.omit.size === 0;
		const installed = readLock(sync, hiddenLockPath(project));
		const lock = readLock(sync, lockPath(project)) ?? installed;
		if (lock && forget !== 'all') {
			plantProject(sync, project, root, { ...extraneousOf(installed ?? {}), ...lock });
			for (const name of forget) if (!root.children.get(name)?.target) root.children.delete(name);
		}
		await buildTree(root, registry, {
			locked: lock ? new Map() : lockedElsewhere(sync, project),
			local: (name, path, { location }) =>
				linkLocal(sync, project, root, name, absolute(path, absolute(location, project))),
			force: options.force,
			isInstalled: ({ location }) => installed?.[location] !== undefined,
			warn: (line) => deprecated.push(line),
			placed: ({ packageName, resolved }) => {
				if (mayAskAhead && !standInFor(packageName)) registry.askAhead(registry.ownAddress(packageName, resolved));
			},
			checkpoint,
			progress: (count) => progress.show(`resolving: ${count} packages`)
		});
		// Without a lockfile, npm keeps packages that are no longer needed.
		if (lock) prune(root);
		if (!options.silent) output.warn(...new Set(deprecated));
		if (options.dryRun) return root;
		if (!options.lockOnly) {
			const changes = await reify(context, registry, project, root, options.omit, checkpoint, (done, of) =>
				progress.show(`fetching: ${done} of ${of} packages`)
			);
			progress.clear();
			if (!options.silent) {
				output.warn(...warnings(changes));
				output.print('', summary(changes, performance.now() - started));
			}
		}
		if (options.packageLock) writeIfChanged(context, lockPath(project), writeLock(root));
		return root;
	} finally {
		progress.clear();
	}
}

/**
 * `npm ci`: installs exactly the lockfile, into an empty `node_modules`.
 * @throws NpmError EUSAGE if it does not match package.json
 */
export async function cleanInstall(installation: Installation, manifest: PackageManifest): Promise<void> {
	const { context, output, registry, project, options } = installation;
	const { sync } = context;
	const started = performance.now();
	const lock = readLock(sync, lockPath(project));
	if (!lock) {
		throw new NpmError(
			'EUSAGE',
			'The `npm ci` command can only install with an existing package-lock.json or',
			'npm-shrinkwrap.json with lockfileVersion >= 1. Run an install with npm@5 or',
			'later to generate a package-lock.json file, then try again.'
		);
	}
	const root = openProject(sync, project, manifest, options.legacyPeers);
	plantProject(sync, project, root, lock);
	const unmet = root.edges().filter(({ name, range, kind }) => {
		const found = root.find(name);
		return kind !== 'peerOptional' && kind !== 'optional' && !found?.fits(range);
	});
	if (unmet.length > 0) {
		throw new NpmError(
			'EUSAGE',
			'`npm ci` can only install packages when your package.json and package-lock.json are in sync. Please update your lock file with `npm install` before continuing.',
			'',
			...unmet.map(({ name, range }) => {
				const found = root.find(name);
				return found
					? `Invalid: lock file's ${name}@${found.version} does not satisfy ${name}@${range}`
					: `Missing: ${name}@${range} from lock file`;
			})
		);
	}
	const checkpoint = watchInterruption(context);
	const progress = new Progress(context, options.silent);
	sync.remove(inside(project, 'node_modules'), { recursive: true, force: true });
	try {
		await completeReleases(root, registry, checkpoint, (line) => output.warn(line));
		const changes = await reify(context, registry, project, root, options.omit, checkpoint, (done, of) =>
			progress.show(`fetching: ${done} of ${of} packages`)
		);
		progress.clear();
		if (!options.silent) {
			output.warn(...warnings(changes));
			output.print('', summary(changes, performance.now() - started));
		}
	} finally {
		progress.clear();
	}
}

/**
 * Adds WebAssembly releases that run here to a lockfile from a machine that did not need them, or whose npm omitted
 * them.
 */
async function completeReleases(
	root: TreeNode,
	registry: Registry,
	checkpoint: () => void,
	warn: (line: string) => void
): Promise<void> {
	const ours = new Set<TreeNode>();
	await buildTree(root, registry, {
		local: (name) => {
			throw new NpmError('EUSAGE', `${name} is a directory of another project.`);
		},
		locked: new Map(),
		force: true,
		isInstalled: () => false,
		warn,
		placed: (node) => void ours.add(node),
		checkpoint,
		progress: () => {},
		completes: (node, { kind, name }) =>
			(kind === 'optional' && isWasmRelease(name)) ||
			(kind !== 'peerOptional' && (ours.has(node) || isWasmRelease(node.name)))
	});
}

function writeIfChanged({ sync }: ProcessContext, file: string, text: string): void {
	const bytes = new TextEncoder().encode(text);
	const known = sync.statOrNull(file) ? new TextDecoder().decode(sync.readFile(file)) : null;
	if (known !== text) sync.writeFile(file, bytes);
}

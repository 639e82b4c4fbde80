import type { ProcessContext } from '#computer/process/program.ts';
import { inside, parent } from '../manifest.ts';
import type { Registry } from '../registry/registry.ts';
import { computeFlags, type Flags } from '../tree/flags.ts';
import { insteadOf } from '#computer/process/native-packages.ts';
import { standInFor } from '../registry/stand-ins.ts';
import { lastWithRelease } from '../registry/wasm-release.ts';
import { hiddenLockPath, type LockEntries, readLock, writeLock } from '../tree/lockfile.ts';
import { everyNode, isInModules, type TreeNode } from '../tree/node.ts';
import { isNative } from '../tree/platform.ts';
import { binsOf, linkBins, unlinkBins } from './bins.ts';
import { type Staged, stage } from './stage.ts';

const STAGING = 'node_modules/.staging';

export interface Changes {
	added: TreeNode[];
	changed: TreeNode[];
	removed: string[];
	builds: Staged[];
	/** Skipped optional packages with native code. */
	skipped: TreeNode[];
	/** Packages whose platform-specific parts were all skipped, and suggested replacements. */
	withoutParts: { node: TreeNode; instead: string | null }[];
}

/**
 * Makes `node_modules` match the tree. Everything is first fetched, verified and unpacked to a staging directory; then
 * it is moved into place at once, so that an interruption leaves the old state.
 */
export async function reify(
	context: ProcessContext,
	registry: Registry,
	project: string,
	root: TreeNode,
	omit: ReadonlySet<keyof Flags>,
	checkpoint: () => void,
	progress: (done: number, of: number) => void
): Promise<Changes> {
	const { sync } = context;
	const flags = computeFlags(root);
	const isLeftOut = (node: TreeNode) => {
		const { dev, optional, devOptional, peer } = flags.get(node) ?? {};
		return (
			(dev && omit.has('dev')) ||
			(optional && omit.has('optional')) ||
			(peer && omit.has('peer')) ||
			(devOptional && omit.has('dev') && omit.has('optional'))
		);
	};
	const packages = [...everyNode(root)].filter((node) => !node.isTop && !node.isInert && !isLeftOut(node));
	const skipped = packages.filter((node) => flags.get(node)?.optional && isNative(node.manifest));
	const wanted = packages.filter((node) => !skipped.includes(node));
	const installed = readLock(sync, hiddenLockPath(project)) ?? {};
	const isKept = (node: TreeNode) => isInstalled(context, project, installed, node);
	const fresh = new Set<TreeNode>();
	for (const node of wanted) {
		const within = node.parent && fresh.has(node.parent);
		if (!node.target && !node.inBundle && (within || !isKept(node))) fresh.add(node);
	}
	const places = new Set(wanted.map(({ location }) => location));
	const removed = Object.keys(installed).filter(
		(location) => isRemovable(location) && !places.has(location) && !installed[location]?.inBundle
	);
	const staging = inside(project, STAGING);
	try {
		const staged =
			fresh.size > 0
				? await stage(context, registry, [...fresh], staging, checkpoint, (done) => progress(done, fresh.size))
				: [];
		const before = (node: TreeNode) => installed[node.location] !== undefined;
		move(context, project, installed, removed, staged, wanted);
		if (wanted.length > 0) {
			const kept = new Set([...wanted, ...[...everyNode(root)].filter(({ isTop }) => isTop)]);
			sync.writeFile(hiddenLockPath(project), new TextEncoder().encode(writeLock(root, kept)));
		} else sync.remove(inside(project, 'node_modules'), { recursive: true, force: true });
		const bare = [...fresh].filter((node) => standInFor(node.packageName) === null && lacksParts(node, skipped));
		return {
			added: [...fresh].filter((node) => !before(node)),
			changed: [...fresh].filter((node) => before(node) && installed[node.location]?.version !== node.version),
			removed,
			builds: staged.filter(({ builds, standIn }) => builds !== null || standIn !== null),
			skipped,
			withoutParts: await Promise.all(bare.map(async (node) => ({ node, instead: await adviceFor(registry, node) })))
		};
	} finally {
		sync.remove(staging, { recursive: true, force: true });
		// Nothing was installed: remove empty directories as well.
		if (
			wanted.length > 0 &&
			sync.statOrNull(inside(project, 'node_modules')) &&
			sync.readdir(inside(project, 'node_modules')).length === 0
		)
			sync.rmdir(inside(project, 'node_modules'));
	}
}

/** The project's own packages are in the same list: only their author may remove those. */
const isRemovable = (location: string): boolean => isInModules(location) && !location.split('/').includes('..');

/** Returns whether skipped packages may be the parts of a package for other systems. */
function lacksParts(node: TreeNode, skipped: TreeNode[]): boolean {
	const names = node.edges().filter(({ kind }) => kind === 'optional');
	const parts = names.flatMap(({ name }) => node.find(name) ?? []);
	const isPart = (part: TreeNode) => skipped.includes(part) && (part.manifest.cpu?.length ?? 0) > 0;
	return names.length > 1 && parts.length > 0 && parts.every(isPart);
}

async function adviceFor(registry: Registry, { packageName }: TreeNode): Promise<string | null> {
	const known = insteadOf(packageName);
	if (known !== null) return known;
	// Everything is in place by now: without the registry there is simply no suggestion.
	const packument = await registry.packument(packageName).catch(() => null);
	const version = packument && lastWithRelease(packument);
	return version === null ? null : `Version ${version} was the last that is published in WebAssembly, too.`;
}

function isInstalled({ sync }: ProcessContext, project: string, installed: LockEntries, node: TreeNode): boolean {
	const entry = installed[node.location];
	if (!entry || entry.version !== node.version || (entry.integrity ?? '') !== node.integrity) return false;
	return sync.statOrNull(inside(inside(project, node.location), 'package.json')) !== null;
}

/** Moves packages into place. Nothing in here waits for anything but the kernel. */
function move(
	{ sync }: ProcessContext,
	project: string,
	installed: LockEntries,
	removed: string[],
	staged: Staged[],
	wanted: TreeNode[]
): void {
	const drop = (location: string) => {
		const entry = installed[location];
		const name = location.slice(location.lastIndexOf('node_modules/') + 'node_modules/'.length);
		if (entry) unlinkBins(sync, project, location, name, binsOf({ ...entry, name: entry.name ?? name, version: '' }));
		sync.remove(inside(project, location), { recursive: true, force: true });
	};
	removed.forEach(drop);
	// After `npm ci` nothing exists there: a removal for each of hundreds of packages would take as long as moving
	// them. Packages inside directories of the project may still exist.
	const isStaging = ({ name }: { name: string }): boolean => STAGING.endsWith(`/${name}`);
	const isEmpty = staged.length > 0 && sync.readdir(inside(project, 'node_modules')).every(isStaging);
	const made = new Set<string>();
	for (const { node, directory } of staged) {
		if (!isEmpty || !node.location.startsWith('node_modules/')) drop(node.location);
		const place = inside(project, node.location);
		if (!made.has(parent(place))) sync.mkdir(parent(place), { recursive: true });
		made.add(parent(place));
		sync.rename(directory, place);
	}
	const isNew = new Set(staged.map(({ node }) => node));
	for (const node of wanted) {
		if (node.target) {
			const place = inside(project, node.location);
			sync.mkdir(parent(place), { recursive: true });
			sync.remove(place, { recursive: true, force: true });
			sync.symlink('../'.repeat(node.location.split('/').length - 1) + node.target.location, place);
		}
		if (node.target || isNew.has(node)) linkBins(sync, project, node);
	}
}

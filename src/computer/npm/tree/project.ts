import { absolute } from '#computer/abi/paths.ts';
import type { SyncSyscalls } from '#computer/abi/client.ts';
import { NpmError } from '../errors.ts';
import { inside } from '../manifest.ts';
import type { PackageManifest } from '../registry/packument.ts';
import { parseSpec } from '../registry/spec.ts';
import { plantLock, type LockEntries } from './lockfile.ts';
import { TreeNode } from './node.ts';
import { readOverrides } from './overrides.ts';
import { readPackage } from './package.ts';
import { readPnpmWorkspace, withCatalogs } from './pnpm-workspace.ts';
import { workspaceDirectories } from './workspaces.ts';

/** Creates the tree of the project and its workspaces, with nothing installed. */
export function openProject(
	sync: SyncSyscalls,
	directory: string,
	manifest: PackageManifest,
	ignoresPeers = false
): TreeNode {
	const root = new TreeNode(manifest.name, '', withCatalogs(manifest, readPnpmWorkspace(sync, directory)));
	root.ignoresPeers = ignoresPeers;
	const direct = { ...manifest.devDependencies, ...manifest.optionalDependencies, ...manifest.dependencies };
	root.rules = readOverrides(manifest.overrides, direct);
	for (const path of workspaceDirectories(sync, directory, manifest)) linkLocal(sync, directory, root, '', path);
	const isNeeded = [...root.children.values()].some(({ target }) =>
		target?.edge(root.name)?.range.startsWith('workspace:')
	);
	if (root.name && isNeeded && !root.children.has(root.name)) linkRoot(root, root.name);
	return root;
}

/** Links a directory of the project into `node_modules`. @param name empty: the name in its package.json */
export function linkLocal(sync: SyncSyscalls, directory: string, root: TreeNode, name: string, path: string): TreeNode {
	const full = absolute(path, directory);
	if (full === directory) return linkRoot(root, name || root.name);
	if (!full.startsWith(`${directory}/`) || sync.statOrNull(inside(full, 'package.json'))?.kind !== 'file') {
		throw new NpmError(
			'EUNSUPPORTED',
			`${path} is not a package directory inside this project.`,
			'A file: dependency has to lead to a directory below this one with a package.json.'
		);
	}
	const location = full.slice(directory.length + 1);
	const manifest = withCatalogs(readPackage(sync, full), readPnpmWorkspace(sync, directory));
	const target = new TreeNode(name, location, manifest);
	target.joinProject(root);
	target.rules = root.rules;
	const known = name || target.manifest.name || location.split('/').pop() || location;
	const link = new TreeNode(known, `node_modules/${known}`, target.manifest);
	link.target = target;
	link.resolved = location;
	root.adopt(link);
	return link;
}

/** Adds the packages of a lockfile to the tree, and the directories that `file:` dependencies still name. */
export function plantProject(sync: SyncSyscalls, directory: string, root: TreeNode, entries: LockEntries): void {
	const tops = [root, ...[...root.children.values()].flatMap(({ target }) => target ?? [])];
	for (const top of tops)
		for (const { name, range } of top.edges()) {
			const entry = entries[`node_modules/${name}`];
			if (!entry?.link || root.children.has(name)) continue;
			const spec = parseSpec(name, range);
			if (spec.kind !== 'file') continue;
			const path = absolute(spec.path, absolute(top.location, directory));
			if (path !== absolute(entry.resolved ?? '', directory)) continue;
			const { target } = linkLocal(sync, directory, root, name, path);
			if (target) tops.push(target);
		}
	plantLock(root, entries);
}

/** Links the project into its own `node_modules`, for a package of it that depends on the project. */
function linkRoot(root: TreeNode, name: string): TreeNode {
	const { name: packageName, version } = root.manifest;
	// Its dependencies are those of the project, which exist already.
	const link = new TreeNode(name, `node_modules/${name}`, { name: packageName, version });
	link.target = root;
	root.adopt(link);
	return link;
}

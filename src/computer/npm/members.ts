import picomatch from 'picomatch';
import type { SyncSyscalls } from '#computer/abi/client.ts';
import { NpmError } from './errors.ts';
import { inside, type Manifest, readManifest } from './manifest.ts';
import { readPackage } from './tree/package.ts';
import { workspaceDirectories } from './tree/workspaces.ts';

/** Packages that a project consists of, besides itself. @throws ManifestError */
export function membersOf(sync: SyncSyscalls, project: string): Manifest[] {
	if (sync.statOrNull(inside(project, 'package.json'))?.kind !== 'file') return [];
	const directories = workspaceDirectories(sync, project, readPackage(sync, project));
	return directories.map((path) => readManifest(sync, inside(project, path)));
}

/**
 * Members selected by a name, a name pattern, a directory, or a parent directory. `name...` also selects the members it
 * depends on.
 * @throws NpmError if one of `wanted` matches none
 */
export function chooseMembers(sync: SyncSyscalls, project: string, wanted: readonly string[]): Manifest[] {
	const all = membersOf(sync, project);
	const chosen = new Set<Manifest>();
	for (const text of wanted) {
		const pattern = text.replace(/\.\.\.$/, '');
		const path = pattern.replace(/^\{(.*)\}$/, '$1').replace(/^\.?\//, '');
		const isNamed = picomatch(pattern);
		const isThere = picomatch([path, `${path}/**`]);
		const found = all.filter(
			({ name, directory }) => isNamed(name) || isThere(directory.slice(project.length + 1)) || directory === pattern
		);
		if (found.length === 0) {
			const known = all.map(({ name }) => name).join(', ');
			throw new NpmError(
				'ENOWORKSPACES',
				`No workspaces found: ${text}`,
				known ? `There are: ${known}` : 'This project has no workspaces.'
			);
		}
		for (const member of found)
			for (const one of pattern === text ? [member] : withNeeds(sync, all, member)) chosen.add(one);
	}
	return all.filter((member) => chosen.has(member));
}

/** Sorts each member after its dependencies, except for cycles. */
export function inOrder(sync: SyncSyscalls, members: readonly Manifest[]): Manifest[] {
	return [...new Set(members.flatMap((member) => withNeeds(sync, members, member)))];
}

/** Returns a member after its direct and transitive dependencies. */
function withNeeds(sync: SyncSyscalls, all: readonly Manifest[], member: Manifest): Manifest[] {
	const seen = new Set<Manifest>();
	const ordered: Manifest[] = [];
	const visit = (one: Manifest): void => {
		if (seen.has(one)) return;
		seen.add(one);
		const { dependencies, devDependencies, optionalDependencies } = readPackage(sync, one.directory);
		const names = { ...dependencies, ...devDependencies, ...optionalDependencies };
		for (const other of all) if (Object.hasOwn(names, other.name)) visit(other);
		ordered.push(one);
	};
	visit(member);
	return ordered;
}

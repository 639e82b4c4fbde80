import picomatch from 'picomatch';
import type { SyncSyscalls } from '#computer/abi/client.ts';
import { inside, parent } from '../manifest.ts';
import type { PackageManifest } from '../registry/packument.ts';
import { readPnpmWorkspace } from './pnpm-workspace.ts';
import { readPackage } from './package.ts';

/** Directories of a project that are packages themselves, relative to it and sorted. */
export function workspaceDirectories(sync: SyncSyscalls, project: string, manifest: PackageManifest): string[] {
	const isWanted = matcher(sync, project, manifest);
	if (!isWanted) return [];
	return sync
		.walk(project, { skip: ['node_modules', '.git'] })
		.filter(({ path, stat }) => stat.kind === 'file' && path.endsWith('/package.json'))
		.map(({ path }) => path.slice(project.length + 1, -'/package.json'.length))
		.filter((path) => path !== '' && isWanted(path))
		.sort();
}

/** Finds the project that contains a directory as a package: one further up, or the directory itself. */
export function projectAbove(sync: SyncSyscalls, directory: string): string {
	for (let at = directory; at !== '/';) {
		at = parent(at);
		if (sync.statOrNull(inside(at, 'package.json'))?.kind !== 'file') continue;
		const below = at === '/' ? directory.slice(1) : directory.slice(at.length + 1);
		if (matcher(sync, at, readPackage(sync, at))?.(below)) return at;
	}
	return directory;
}

/** Returns a function that checks whether a directory is a package of the project; `null` for a project without any. */
function matcher(sync: SyncSyscalls, project: string, manifest: PackageManifest): ((path: string) => boolean) | null {
	const { workspaces } = manifest;
	const patterns = [
		...(Array.isArray(workspaces) ? workspaces : (workspaces?.packages ?? [])),
		...(readPnpmWorkspace(sync, project)?.packages ?? [])
	].map((pattern) => pattern.replace(/^(!?)\.\//, '$1').replace(/\/$/, ''));
	const wanted = patterns.filter((pattern) => !pattern.startsWith('!'));
	const ignore = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1));
	return wanted.length > 0 ? picomatch(wanted, { ignore }) : null;
}

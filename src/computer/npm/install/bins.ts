import type { SyncSyscalls } from '#computer/abi/client.ts';
import { normalize } from '#computer/abi/paths.ts';
import { inside } from '../manifest.ts';
import type { TreeNode } from '../tree/node.ts';

/** Commands of a package: name → file inside it. */
export function binsOf({ bin, name }: TreeNode['manifest']): Record<string, string> {
	const map = typeof bin === 'string' ? { [name]: bin } : (bin ?? {});
	return Object.fromEntries(
		Object.entries(map).map(([command, file]) => [command.split('/').pop() ?? command, normalize(file).slice(1)])
	);
}

/** Creates links to a package's commands in the `.bin` next to it, and makes them executable. */
export function linkBins(sync: SyncSyscalls, project: string, node: TreeNode): void {
	const beside = inside(project, node.location).slice(0, -node.name.length - 1);
	const bin = inside(beside, '.bin');
	for (const [command, file] of Object.entries(binsOf((node.target ?? node).manifest))) {
		const target = inside(inside(project, (node.target ?? node).location), file);
		if (!sync.statOrNull(target)) continue;
		sync.mkdir(bin, { recursive: true });
		sync.remove(inside(bin, command), { force: true });
		const path = (node.target ? ['../..', node.target.location, file] : ['..', node.name, file])
			.filter(Boolean)
			.join('/');
		sync.symlink(path, inside(bin, command));
		sync.chmod(target, 0o755);
	}
}

export function unlinkBins(
	sync: SyncSyscalls,
	project: string,
	location: string,
	name: string,
	bins: Record<string, string>
): void {
	const bin = inside(inside(project, location).slice(0, -name.length - 1), '.bin');
	for (const command of Object.keys(bins)) sync.remove(inside(bin, command), { force: true });
}

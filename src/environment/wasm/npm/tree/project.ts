import picomatch from 'picomatch';
import { absolute } from '../../paths.ts';
import type { SyncSyscalls } from '../../process/client.ts';
import { NpmError } from '../errors.ts';
import { inside, ManifestError } from '../manifest.ts';
import { manifestShape, type PackageManifest } from '../registry/packument.ts';
import { TreeNode } from './node.ts';
import { readOverrides } from './overrides.ts';

/** package.json as installing sees it. @throws ManifestError */
export function readPackage(sync: SyncSyscalls, directory: string): PackageManifest {
	const file = inside(directory, 'package.json');
	let json: unknown;
	try {
		json = JSON.parse(new TextDecoder().decode(sync.readFile(file)));
	} catch (error) {
		throw new ManifestError('EJSONPARSE', `${file}: ${error instanceof Error ? error.message : String(error)}`);
	}
	const parsed = manifestShape.safeParse(json);
	if (parsed.success) return parsed.data;
	throw new ManifestError('EJSONPARSE', `${file}: ${parsed.error.issues[0]?.message ?? 'is no package'}`);
}

/** The project and its workspaces, nothing installed. */
export function openProject(sync: SyncSyscalls, directory: string, manifest: PackageManifest): TreeNode {
	const root = new TreeNode(manifest.name, '', manifest);
	const direct = { ...manifest.devDependencies, ...manifest.optionalDependencies, ...manifest.dependencies };
	root.rules = readOverrides(manifest.overrides, direct);
	const { workspaces } = manifest;
	const patterns = Array.isArray(workspaces) ? workspaces : (workspaces?.packages ?? []);
	for (const path of patterns.length > 0 ? workspaceDirectories(sync, directory, patterns) : []) {
		linkLocal(sync, directory, root, '', path);
	}
	return root;
}

/** Links a directory of the project into `node_modules`. @param name empty: its own */
export function linkLocal(sync: SyncSyscalls, directory: string, root: TreeNode, name: string, path: string): TreeNode {
	const full = absolute(path, directory);
	if (!full.startsWith(`${directory}/`) || sync.statOrNull(inside(full, 'package.json'))?.kind !== 'file') {
		throw new NpmError(
			'EUNSUPPORTED',
			`${path} is not a package directory inside this project.`,
			'A file: dependency has to lead to a directory below this one with a package.json.'
		);
	}
	const location = full.slice(directory.length + 1);
	const target = new TreeNode(name, location, readPackage(sync, full));
	target.parent = root;
	target.rules = root.rules;
	const known = name || target.manifest.name || location.split('/').pop() || location;
	const link = new TreeNode(known, `node_modules/${known}`, target.manifest);
	link.target = target;
	link.resolved = location;
	root.adopt(link);
	return link;
}

function workspaceDirectories(sync: SyncSyscalls, directory: string, patterns: string[]): string[] {
	const clean = patterns.map((pattern) => pattern.replace(/^\.\//, '').replace(/\/$/, ''));
	const isWanted = picomatch(
		clean.filter((pattern) => !pattern.startsWith('!')),
		{
			ignore: clean.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1))
		}
	);
	return sync
		.walk(directory, { skip: ['node_modules', '.git'] })
		.filter(({ path, stat }) => stat.kind === 'file' && path.endsWith('/package.json'))
		.map(({ path }) => path.slice(directory.length + 1, -'/package.json'.length))
		.filter((path) => path !== '' && isWanted(path))
		.sort();
}

import { z } from 'zod';
import type { SyncSyscalls } from '#computer/abi/client.ts';
import { inside } from '../manifest.ts';
import { bundledNames, manifestShape, runsScript } from '../registry/packument.ts';
import { isPackageName } from '../registry/spec.ts';
import { computeFlags, type Flags } from './flags.ts';
import { byName, everyNode, isInModules, TreeNode } from './node.ts';

const entryShape = manifestShape.extend({
	resolved: z.string().optional(),
	integrity: z.string().optional(),
	link: z.boolean().optional(),
	inBundle: z.boolean().optional(),
	extraneous: z.boolean().optional(),
	name: z.string().optional(),
	version: z.string().optional()
});
const lockShape = z.object({ lockfileVersion: z.number(), packages: z.record(z.string(), entryShape).optional() });

export type LockEntry = z.infer<typeof entryShape>;
export type LockEntries = Record<string, LockEntry>;

/**
 * Entries of package-lock.json, or of npm's copy in node_modules; `null` if it is missing or in an unsupported format.
 */
export function readLock(sync: SyncSyscalls, file: string): LockEntries | null {
	if (sync.statOrNull(file)?.kind !== 'file') return null;
	let json: unknown;
	try {
		json = JSON.parse(new TextDecoder().decode(sync.readFile(file)));
	} catch {
		// For example a lockfile with conflict markers: its versions are chosen again.
		return null;
	}
	const parsed = lockShape.safeParse(json);
	return parsed.success ? (parsed.data.packages ?? null) : null;
}

/** Adds the packages of a lockfile to the tree below `root`. */
export function plantLock(root: TreeNode, entries: LockEntries): void {
	const nodes = new Map([['', root]]);
	for (const { target } of root.children.values()) if (target) nodes.set(target.location, target);
	const locations = Object.keys(entries).filter(isInModules);
	for (const location of locations.sort((a, b) => a.length - b.length)) {
		const entry = entries[location];
		const at = location.lastIndexOf('node_modules/');
		const parent = nodes.get(location.slice(0, at).replace(/\/$/, ''));
		const name = location.slice(at + 'node_modules/'.length);
		if (!entry || !parent || parent.children.has(name) || !isPackageName(name)) continue;
		// A link here is a package inside itself; links to directories of the project exist already.
		const target = entry.link ? nodes.get(entry.resolved ?? '') : null;
		if (target === undefined || target?.isTop) continue;
		const node = new TreeNode(name, location, {
			...(target?.manifest ?? entry),
			name: target?.packageName ?? entry.name ?? name,
			version: target?.version ?? entry.version ?? ''
		});
		node.resolved = entry.resolved ?? '';
		node.integrity = entry.integrity ?? '';
		node.inBundle = entry.inBundle ?? false;
		node.target = target;
		parent.adopt(node);
		nodes.set(location, node);
	}
}

const KEPT = [
	'dependencies',
	'peerDependencies',
	'peerDependenciesMeta',
	'optionalDependencies',
	'bundleDependencies',
	'funding',
	'engines',
	'os',
	'cpu',
	'libc',
	'license',
	'hasInstallScript',
	'deprecated',
	'workspaces'
] as const;

/** Installed packages that are not in the lockfile. */
export const extraneousOf = (entries: LockEntries): LockEntries =>
	Object.fromEntries(Object.entries(entries).filter(([, { extraneous }]) => extraneous));

/**
 * Formats the whole file like npm, version 3, keys in npm's order.
 * @param installed packages listed in the copy in node_modules; absent for package-lock.json, which also serves other
 * machines
 */
export function writeLock(root: TreeNode, installed: ReadonlySet<TreeNode> | null = null): string {
	const [here, elsewhere] = [computeFlags(root), computeFlags(root, true)];
	const isOurs = (node: TreeNode) => !here.get(node)?.extraneous && (elsewhere.get(node)?.extraneous ?? false);
	const packages: Record<string, unknown> = {};
	const { name, version } = root.manifest;
	if (!installed) packages[''] = ordered(rootEntry(root));
	for (const node of everyNode(root)) {
		if (node === root || node.failure || (installed ? !installed.has(node) : isOurs(node))) continue;
		const link = { resolved: node.resolved, link: true };
		const flags = isOurs(node) ? { ...here.get(node), extraneous: true } : elsewhere.get(node);
		const entry = node.isTop ? rootEntry(node) : entryOf(node, flags);
		packages[node.location] = ordered(node.target ? link : entry);
	}
	const sorted = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => byName(a, b)));
	const head = { ...(name ? { name } : {}), ...(version ? { version } : {}), lockfileVersion: 3, requires: true };
	return `${JSON.stringify({ ...head, packages: sorted }, null, 2)}\n`;
}

function rootEntry({ manifest }: TreeNode): Record<string, unknown> {
	const { name, version, devDependencies, ...rest } = manifest;
	return clean({ name, version, devDependencies, bin: bins(manifest), ...pick(rest) });
}

function entryOf(node: TreeNode, flags: Partial<Flags> = {}): Record<string, unknown> {
	const { manifest } = node;
	const alias = node.packageName === node.name ? {} : { name: node.packageName };
	const set = Object.entries(flags).filter(([, value]) => value);
	return clean({
		...alias,
		version: manifest.version,
		...(node.inBundle ? { inBundle: true } : { resolved: node.resolved, integrity: node.integrity }),
		...Object.fromEntries(set),
		bin: bins(manifest),
		...pick(manifest)
	});
}

const pick = (manifest: Partial<TreeNode['manifest']>) => ({
	...Object.fromEntries(KEPT.map((key) => [key, manifest[key]])),
	dependencies: required(manifest),
	bundleDependencies: bundledNames(manifest),
	hasInstallScript: runsScript(manifest) || undefined,
	funding: withAddress(manifest.funding)
});

/** Published manifests list optional dependencies among the others as well: a lockfile contains them once. */
const required = ({ dependencies = {}, optionalDependencies = {} }: Partial<TreeNode['manifest']>) =>
	Object.fromEntries(Object.entries(dependencies).filter(([name]) => !Object.hasOwn(optionalDependencies, name)));

function bins({ name, bin }: TreeNode['manifest']): Record<string, string> | undefined {
	const map = typeof bin === 'string' ? { [name.split('/').pop() ?? name]: bin } : bin;
	return map && Object.fromEntries(Object.entries(map).map(([key, file]) => [key, file.replace(/^\.\//, '')]));
}

function clean(record: Record<string, unknown>): Record<string, unknown> {
	const isEmpty = (value: unknown) =>
		value === undefined ||
		value === '' ||
		(typeof value === 'object' && value !== null && Object.keys(value).length === 0);
	return Object.fromEntries(Object.entries(record).filter(([, value]) => !isEmpty(value)));
}

const FIRST = ['name', 'version', 'resolved', 'integrity', 'dependencies'];

/** Sorts plain values before records, keys known to npm first, then by name. */
function ordered(record: Record<string, unknown>): Record<string, unknown> {
	const isRecord = (value: unknown) => Number(typeof value === 'object' && value !== null && !Array.isArray(value));
	const rank = (key: string) => (FIRST.includes(key) ? FIRST.indexOf(key) : FIRST.length);
	return Object.fromEntries(
		Object.entries(record)
			.map(([key, value]): [string, unknown] => [key, isRecord(value) ? ordered(Object(value)) : value])
			.sort(([a, first], [b, second]) => isRecord(first) - isRecord(second) || rank(a) - rank(b) || byName(a, b))
	);
}

/** Normalizes funding: a single URL becomes a record. */
function withAddress(funding: unknown): unknown {
	return typeof funding === 'string' ? { url: funding } : funding;
}

export const lockPath = (directory: string) => inside(directory, 'package-lock.json');
export const hiddenLockPath = (directory: string) => inside(directory, 'node_modules/.package-lock.json');

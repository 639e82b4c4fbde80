import gt from 'semver/functions/gt.js';
import rcompare from 'semver/functions/rcompare.js';
import satisfies from 'semver/functions/satisfies.js';
import { NpmError } from '../errors.ts';
import type { PublishedManifest } from '../registry/packument.ts';
import { pickVersion } from '../registry/pick.ts';
import type { Registry } from '../registry/registry.ts';
import { checkName, parseSpec, type Spec } from '../registry/spec.ts';
import type { LockedVersions } from './foreign-lockfile.ts';
import { isReleaseOf, isWasmRelease, isWasmRuntime, missingRelease, nearestRelease } from '../registry/wasm-release.ts';
import { byName, type Edge, everyNode, TreeNode } from './node.ts';
import { rangeOf, rulesBelow } from './overrides.ts';
import { isNative, listOf } from './platform.ts';
import { promisedIntegrity } from '../registry/integrity.ts';

export interface BuildOptions {
	/** Versions that are taken before others. */
	locked: LockedVersions;
	/** Makes the directory behind a `file:` dependency a node. */
	local(name: string, path: string, from: TreeNode): TreeNode;
	/** Peers that do not fit are warned of instead of refused. */
	force: boolean;
	warn(line: string): void;
	/** Ends the work early, by throwing. */
	checkpoint(): void;
	/** A package has got a place, which it mostly keeps. */
	placed(node: TreeNode): void;
	/** So many packages are placed. */
	progress(count: number): void;
	/** Returns true for a package that an earlier installation put in its place. */
	isInstalled(node: TreeNode): boolean;
	/** Decides whether a missing dependency is resolved; absent: always. */
	completes?(node: TreeNode, edge: Edge): boolean;
}

/**
 * Completes a tree: each dependency that is missing or does not fit is chosen from the registry and put as
 * high as nothing contradicts, breadth first and by name, which gives the tree npm's own gives.
 * @throws NpmError ERESOLVE, ETARGET, EBADPLATFORM and what the registry throws
 */
export async function buildTree(root: TreeNode, registry: Registry, options: BuildOptions): Promise<void> {
	const seen = new Set<TreeNode>();
	const queue: TreeNode[] = [root, ...[...root.children.values()].flatMap(({ target }) => target ?? [])];
	while (queue.length > 0) {
		queue.sort((a, b) => a.depth - b.depth || byName(a.location, b.location));
		const node = queue.shift();
		if (!node || seen.has(node) || !isThere(node)) continue;
		seen.add(node);
		options.checkpoint();
		await addRelease(node, registry, options);
		const edges = node.edges().map((edge) => ({ ...edge, range: rangeOf(node, edge) }));
		const mayChoose = (edge: Edge) => options.completes?.(node, edge) ?? true;
		const choices = edges.map((edge) =>
			needsChoice(node, edge) && mayChoose(edge) ? choose(edge, registry, options.locked) : null
		);
		// A failure is reported where its turn comes.
		for (const choice of choices) choice?.catch(() => {});
		for (const [index, edge] of edges.entries()) {
			const found = node.find(edge.name);
			let child = found;
			if (!serves(found, node, edge) && mayChoose(edge)) {
				try {
					child = await fulfil(node, edge, found, registry, options, choices[index] ?? null);
				} catch (error) {
					if (edge.kind !== 'optional' || !(error instanceof NpmError)) throw error;
					if (error.code === 'ETARGET' && isWasmRelease(edge.name)) options.warn(withoutRelease(node, edge, error));
					if (!found) continue;
				}
			}
			if (!child) continue;
			if (child.rules.length === 0) child.rules = rulesBelow(node.rules, child.packageName, child.version);
			const next = child.target ?? child;
			if (!seen.has(next) && !options.completes) askAhead(next, registry, options.locked);
			queue.push(next);
		}
		options.progress(seen.size);
	}
}

/**
 * Adds the WebAssembly release of a package to its dependencies if only its other versions name it: napi-rs publishes
 * it with every version and no longer makes packages depend on it.
 */
async function addRelease(node: TreeNode, registry: Registry, { isInstalled }: BuildOptions): Promise<void> {
	const release = missingRelease(node.packageName, node.manifest);
	if (release === null) return;
	if (!isInstalled(node)) {
		// A package that does not come from the registry has no other versions.
		const packument = await registry.packument(node.packageName).catch(noOthers);
		if (packument === null || !isReleaseOf(packument, release)) return;
	} else if (!node.find(release)) return;
	node.release = release;
}

function noOthers(error: unknown): null {
	if (error instanceof NpmError) return null;
	throw error;
}

/**
 * Asks for what a package will need before its turn comes: then the registry is waited for once for each level of the
 * tree, not once for each package.
 */
function askAhead(node: TreeNode, registry: Registry, locked: LockedVersions): void {
	for (const edge of node.edges()) {
		const wanted = { ...edge, range: rangeOf(node, edge) };
		// A failure is reported where its turn comes.
		if (needsChoice(node, wanted)) choose(wanted, registry, locked).catch(() => {});
	}
}

function isThere(node: TreeNode): boolean {
	return (
		node.parent === null || node.parent.children.get(node.name) === node || !node.location.includes('node_modules')
	);
}

function needsChoice(node: TreeNode, edge: Edge): boolean {
	const found = node.find(edge.name);
	return edge.kind !== 'peerOptional' && !serves(found, node, edge);
}

function serves(found: TreeNode | undefined, from: TreeNode, { range }: Edge): boolean {
	return found !== undefined && found.fits(range) && sharesPeers(from, found, found);
}

/**
 * Returns true if a package at a place gets the copies of its peers that its dependent has. Only runtimes of
 * WebAssembly need the same copies, and crash with others; for the rest npm is content with a version that fits.
 */
function sharesPeers(from: TreeNode, runtime: TreeNode, place: TreeNode): boolean {
	if (!isWasmRuntime(runtime.packageName)) return true;
	const own = new Set(from.edges().map(({ name }) => name));
	const shared = runtime.edges().filter(({ kind, name }) => kind === 'peer' && own.has(name));
	return shared.every(({ name }) => place.find(name) === from.find(name));
}

async function choose(edge: Edge, registry: Registry, locked: LockedVersions): Promise<PublishedManifest | null> {
	let spec: Spec = parseSpec(edge.name, edge.range);
	let name = edge.name;
	checkName(name);
	if (spec.kind === 'alias') ({ name, spec } = spec);
	if (spec.kind === 'file') return null;
	if (spec.kind === 'workspace') {
		throw new NpmError('EUNSUPPORTEDPROTOCOL', `No workspace of this project is called ${name}.`);
	}
	const packument = await registry.packument(name);
	try {
		return pickVersion(packument, spec, locked.get(name));
	} catch (error) {
		const nearest = edge.kind === 'optional' && isWasmRelease(name) ? nearestRelease(packument, edge.range) : null;
		if (nearest === null) throw error;
		return pickVersion(packument, { kind: 'range', range: nearest });
	}
}

/** Replacement for a package whose WebAssembly release was not published with it. */
function withoutRelease({ packageName, version }: TreeNode, { name, range }: Edge, { lines }: NpmError): string {
	const latest = lines.find((line) => line.startsWith('The latest is'));
	return `${packageName}@${version} may not start: its native code cannot run here, and ${name}@${range}, the same in WebAssembly, is not published.${latest ? ` ${latest}` : ''}`;
}

/**
 * The newest version of a WebAssembly runtime whose peers are what its dependent has: newer ones do not work with an
 * older `@emnapi/core`. @returns `chosen` for all other packages, and where no version fits
 */
async function runtimeFor(
	from: TreeNode,
	{ name, range }: Edge,
	chosen: PublishedManifest,
	registry: Registry
): Promise<PublishedManifest> {
	const own = new Set(from.edges().map((edge) => edge.name));
	const fits = ({ peerDependencies = {} }: PublishedManifest) =>
		Object.entries(peerDependencies).every(
			([peer, wanted]) => !own.has(peer) || (from.find(peer)?.fits(wanted) ?? true)
		);
	if (!isWasmRuntime(name) || fits(chosen)) return chosen;
	const packument = await registry.packument(name);
	const versions = Object.keys(packument.versions).filter((version) => satisfies(version, range));
	for (const version of versions.sort(rcompare)) {
		const manifest = pickVersion(packument, { kind: 'range', range: version });
		if (fits(manifest)) return manifest;
	}
	return chosen;
}

async function fulfil(
	from: TreeNode,
	edge: Edge,
	found: TreeNode | undefined,
	registry: Registry,
	options: BuildOptions,
	choice: Promise<PublishedManifest | null> | null
): Promise<TreeNode | undefined> {
	if (edge.kind === 'peerOptional') return undefined;
	const chosen = await (choice ?? choose(edge, registry, options.locked));
	const manifest = chosen && (await runtimeFor(from, edge, chosen, registry));
	const again = from.find(edge.name);
	// The nearest release of another version is the same the second time.
	if (serves(again, from, edge)) return again;
	if (again && again.version === manifest?.version && sharesPeers(from, again, again)) return again;
	if (!manifest) {
		const spec = parseSpec(edge.name, edge.range);
		if (spec.kind === 'file') return options.local(edge.name, spec.path, from);
		return undefined;
	}
	const isPeer = edge.kind === 'peer';
	const start = isPeer ? (from.parent ?? from) : from;
	if (isNative(manifest) && edge.kind !== 'optional') throw badPlatform(manifest);
	const isNearest = edge.kind === 'optional' && isWasmRelease(edge.name) && !satisfies(manifest.version, edge.range);
	if (isNearest) {
		options.warn(
			`${manifest.name}@${edge.range} is not published: ${manifest.version}, the nearest before it, is installed.`
		);
	}
	const target = placeFor(start, edge, manifest);
	if (!target) {
		if (!options.force && found && isRootChoice(found)) throw unresolvable(from, edge, found);
		options.warn(
			`Could not resolve dependency: peer ${edge.name}@"${edge.range}" from ${from.packageName}@${from.version}; ${found?.packageName}@${found?.version} is used.`
		);
		return found;
	}
	const location = `${target.location ? `${target.location}/` : ''}node_modules/${edge.name}`;
	const node = new TreeNode(edge.name, location, manifest);
	node.resolved = manifest.dist.tarball;
	node.integrity = promisedIntegrity(manifest.dist);
	target.adopt(node);
	node.rules = rulesBelow(from.rules, node.packageName, node.version);
	options.placed(node);
	if (manifest.deprecated) options.warn(`deprecated ${manifest.name}@${manifest.version}: ${manifest.deprecated}`);
	return node;
}

/** Highest place where no dependent would get a version that does not fit; `null` for a peer without one. */
function placeFor(start: TreeNode, edge: Edge, manifest: PublishedManifest): TreeNode | null {
	const version = new TreeNode(edge.name, `node_modules/${edge.name}`, manifest);
	version.ignoresPeers = start.ignoresPeers;
	let best: TreeNode | null = null;
	for (let at: TreeNode | null = start; at; at = at.parent) {
		if (!canTake(at, version, edge) || (at !== start && !(suitsPeers(at, version) && sharesPeers(start, version, at))))
			break;
		best = at;
	}
	return best;
}

function canTake(target: TreeNode, dependency: TreeNode, edge: Edge): boolean {
	if (target.name === edge.name && target.parent) return false;
	const current = target.children.get(edge.name);
	if (current?.target) return false;
	if (current) {
		const isRoots = target.parent === null && target.edges().some(({ name }) => name === edge.name);
		const isOwn = edge.kind !== 'peer' && !current.fits(edge.range) && servedBy(current).length === 0;
		if (
			!isOwn &&
			(isRoots ? !servedBy(current).every((range) => dependency.fits(range)) : !gt(dependency.version, current.version))
		)
			return false;
		return servedBy(current).every((range) => dependency.fits(range));
	}
	// Dependents below that resolved to a higher place would find this one instead.
	for (const node of everyNode(target)) {
		const own = node.edges().find(({ name }) => name === edge.name);
		if (!own) continue;
		const served = node.find(edge.name);
		if (served && !isBelow(served, target) && served.fits(rangeOf(node, own)) && !dependency.fits(rangeOf(node, own)))
			return false;
	}
	return true;
}

/** A package goes no higher than where it finds the peers it wants. */
function suitsPeers(target: TreeNode, dependency: TreeNode): boolean {
	const peers = dependency.edges().filter(({ kind }) => kind === 'peer' || kind === 'peerOptional');
	return peers.every(({ name, range }) => target.find(name)?.fits(range) ?? true);
}

function isBelow(node: TreeNode, ancestor: TreeNode): boolean {
	for (let at = node.parent; at; at = at.parent) if (at === ancestor) return true;
	return false;
}

/** The ranges of those who get `node` now. */
function servedBy(node: TreeNode): string[] {
	const top = node.parent;
	if (!top) return [];
	const ranges: string[] = [];
	for (const user of everyNode(top)) {
		const edge = user.edges().find(({ name }) => name === node.name);
		if (edge && user.find(node.name) === node && node.fits(rangeOf(user, edge))) ranges.push(rangeOf(user, edge));
	}
	return ranges;
}

function isRootChoice(node: TreeNode): boolean {
	return node.parent?.parent === null && node.parent.edges().some(({ name }) => name === node.name);
}

function badPlatform({ name, version, os, cpu }: PublishedManifest): NpmError {
	const wanted = [...listOf(os), ...listOf(cpu)].join(', ');
	return new NpmError(
		'EBADPLATFORM',
		`${name}@${version} is native code for ${wanted || 'another system'}: it cannot run in a browser tab.`,
		'Use a package made of JavaScript or WebAssembly in its place.'
	);
}

function unresolvable(from: TreeNode, edge: Edge, found: TreeNode): NpmError {
	return new NpmError(
		'ERESOLVE',
		'unable to resolve dependency tree',
		'',
		`Found: ${found.packageName}@${found.version}`,
		'',
		'Could not resolve dependency:',
		`peer ${edge.name}@"${edge.range}" from ${from.packageName}@${from.version}`,
		'',
		'Fix the upstream dependency conflict, or retry this command with --legacy-peer-deps.'
	);
}

import satisfies from 'semver/functions/satisfies.js';
import { NpmError } from '../errors.ts';
import type { Registry } from '../registry/registry.ts';
import { parseSpec } from '../registry/spec.ts';
import { isReleaseOf, isWasmRelease, isWasmRuntime, missingRelease } from '../registry/wasm-release.ts';
import { addBundle, hasUnreadBundle } from './bundled.ts';
import { choose, runtimeFor } from './choice.ts';
import { computeFlags } from './flags.ts';
import type { LockedVersions } from './foreign-lockfile.ts';
import { byName, type Edge, everyNode, type TreeNode } from './node.ts';
import { endless, PeerSets } from './peer-set.ts';
import { Placement } from './placement.ts';
import { isNative, listOf } from './platform.ts';

/**
 * Maximum number of visits: a place is completed again when something else there changes, which happens a few times.
 */
const MOST_VISITS = 100;
const DEEPEST = 64;

export interface BuildOptions {
	/** Versions that are preferred. */
	locked: LockedVersions;
	/** Creates a node for the directory of a `file:` dependency. */
	local(name: string, path: string, from: TreeNode): TreeNode;
	/** Conflicting peers cause a warning instead of an error. */
	force: boolean;
	warn(line: string): void;
	/** Aborts the work, by throwing. */
	checkpoint(): void;
	/** Called when a package was placed; its place rarely changes later. */
	placed(node: TreeNode): void;
	/** Reports the number of placed packages. */
	progress(count: number): void;
	/** Returns whether a package was installed at its place before. */
	isInstalled(node: TreeNode): boolean;
	/** Decides whether a missing dependency is resolved; absent: always. */
	completes?(node: TreeNode, edge: Edge): boolean;
}

/**
 * Completes a tree: for each missing or invalid dependency, chooses a version from the registry and places it, with its
 * peers, as high as there is no conflict, breadth first and by name. These are npm's own rules, which result in the
 * same tree.
 * @throws NpmError ERESOLVE, ETARGET and errors of the registry
 */
export async function buildTree(root: TreeNode, registry: Registry, options: BuildOptions): Promise<void> {
	await new TreeBuilder(root.stand(), registry, options).run();
}

class TreeBuilder {
	readonly #queue: TreeNode[];
	readonly #seen = new Set<TreeNode>();
	/** Number of visits by place. */
	readonly #visits = new Map<string, number>();
	readonly #peerSets: PeerSets;
	readonly #root: TreeNode;

	constructor(
		root: TreeNode,
		private readonly registry: Registry,
		private readonly options: BuildOptions
	) {
		this.#root = root;
		this.#queue = [root];
		this.#peerSets = new PeerSets({
			choose: async (edge) => {
				const chosen = await choose(edge, registry, options.locked);
				return chosen && runtimeFor(edge, chosen, registry, options.locked);
			},
			force: options.force,
			refuse
		});
	}

	async run(): Promise<void> {
		for (let node = this.#next(); node; node = this.#next()) {
			this.#visit(node);
			this.options.checkpoint();
			await addRelease(node, this.registry, this.options);
			if (hasUnreadBundle(node) && !this.options.completes) await addBundle(node, this.registry);
			await this.#complete(node);
			// A runtime of WebAssembly may have been valid until its peers were placed.
			if (node.edges().some((edge) => isWasmRuntime(edge.name) && this.#isProblem(node, edge)))
				await this.#complete(node);
			for (const { to } of node.edges()) if (to && !this.#seen.has(to)) this.#queue.push(to);
			for (const child of node.children.values()) if (child.inBundle) this.#queue.push(child);
			this.options.progress(this.#seen.size);
		}
		this.#checkFailures();
	}

	/** @throws NpmError if a place is never complete */
	#visit(node: TreeNode): void {
		const times = (this.#visits.get(node.location) ?? 0) + 1;
		if (times > MOST_VISITS || node.depth > DEEPEST) throw endless(node);
		this.#visits.set(node.location, times);
		this.#seen.add(node);
	}

	/** Returns the node nearest to the project, by name; directories that links lead to come last. */
	#next(): TreeNode | undefined {
		this.#queue.sort((a, b) => a.depth - b.depth || byName(a.location, b.location));
		for (let node = this.#queue.shift(); node; node = this.#queue.shift()) {
			if (!this.#seen.has(node) && node.root === this.#root && !node.target && !node.failure) return node;
		}
		return [...everyNode(this.#root)].find((node) => node.isTop && !this.#seen.has(node));
	}

	async #complete(node: TreeNode): Promise<void> {
		const wanted = node.edges().filter((edge) => this.#isProblem(node, edge));
		for (const edge of wanted) this.#askAhead(edge);
		const found: { edge: Edge; dependency: TreeNode }[] = [];
		for (const edge of wanted) {
			const dependency = await this.#dependencyFor(node, edge);
			if (!dependency) this.#linkDirectory(node, edge);
			else if (!isSameNearest(edge, dependency)) found.push({ edge, dependency });
		}
		for (const { edge, dependency } of found.sort((a, b) => byName(a.edge.name, b.edge.name))) {
			const placement = new Placement(dependency, edge, {
				force: this.options.force,
				refuse,
				warn: (conflict, kept) => this.options.warn(overriddenPeer(conflict, kept))
			});
			for (const one of placement.all()) this.#follow(one);
		}
	}

	/** Creates the package for a dependency, in a set with its peers; null for a directory. */
	async #dependencyFor(node: TreeNode, edge: Edge): Promise<TreeNode | null> {
		const set = this.#peerSets.head(node);
		const known = set.edge(edge.name);
		if (known?.isValid && known.to && edge.isSatisfiedBy(known.to)) return known.to;
		const hoistable = edge.kind === 'peerOptional' ? nearest(node.parent ?? node, edge) : null;
		return hoistable ?? this.#peerSets.nodeFor(edge, edge.isPeer ? set : null);
	}

	#isProblem(node: TreeNode, edge: Edge): boolean {
		if (edge.isGivenUp || node.bundles(edge.name) || !(this.options.completes?.(node, edge) ?? true)) return false;
		if (!edge.to) return edge.kind !== 'peerOptional';
		return !edge.isValid && !edge.to.failure && !edge.to.inBundle;
	}

	/** Queues the nodes affected by a placement. */
	#follow({ placed, edge, disturbed }: Placement): void {
		if (!placed) return;
		this.#report(placed, edge);
		for (const user of placed.edgesIn()) {
			if (user === edge || user.isValid || user.isGivenUp) continue;
			this.#seen.delete(user.from);
			this.#queue.push(user.from);
		}
		this.#queue.push(placed);
		for (const node of disturbed) {
			this.#seen.delete(node);
			this.#queue.push(node);
		}
		if (!this.options.completes)
			for (const next of placed.edges()) if (this.#isProblem(placed, next)) this.#askAhead(next);
	}

	#report(node: TreeNode, edge: Edge): void {
		const { manifest, failure } = node;
		if (failure) {
			if (edge.kind === 'optional' && failure.code === 'ETARGET' && isWasmRelease(edge.name)) {
				this.options.warn(withoutRelease(edge, failure));
			}
			return;
		}
		if (isNative(manifest) && !edge.isOptional) this.options.warn(nativeCode(node));
		if (edge.kind === 'optional' && isWasmRelease(edge.name) && !satisfies(manifest.version, edge.range)) {
			this.options.warn(
				`${manifest.name}@${edge.range} is not published: ${manifest.version}, the nearest before it, is installed.`
			);
		}
		this.options.placed(node);
		if (manifest.deprecated)
			this.options.warn(`deprecated ${manifest.name}@${manifest.version}: ${manifest.deprecated}`);
	}

	/** Requests a dependency from the registry in advance: then each level, not each package, waits for it. */
	#askAhead(edge: Edge): void {
		// A failure is reported when the dependency is processed.
		choose(edge, this.registry, this.options.locked).catch(() => {});
	}

	#linkDirectory(node: TreeNode, edge: Edge): void {
		const spec = parseSpec(edge.name, edge.range);
		if (spec.kind !== 'file') return;
		const link = this.options.local(edge.name, spec.path, node);
		if (link.target) this.#queue.push(link.target);
	}

	/**
	 * Marks optional packages whose dependencies the registry does not have: they are not installed. @throws NpmError
	 */
	#checkFailures(): void {
		const failed = [...everyNode(this.#root)].filter(({ failure }) => failure);
		if (failed.length === 0) return;
		const flags = computeFlags(this.#root);
		for (const node of failed) {
			const { optional, extraneous } = flags.get(node) ?? {};
			if (node.failure && !optional && !extraneous) throw node.failure;
		}
		const useless = new Set(failed);
		for (const node of useless) {
			node.isInert = true;
			for (const edge of node.edgesIn()) if (!edge.isOptional && !edge.from.isTop) useless.add(edge.from);
		}
	}
}

/**
 * Adds the WebAssembly release of a package to its dependencies if only other versions list it: napi-rs publishes it
 * with every version but no longer makes packages depend on it.
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

/** Finds the nearest package below a node that satisfies a dependency. */
function nearest(root: TreeNode, edge: Edge): TreeNode | null {
	const queue = [...root.children.values()];
	for (const node of queue) {
		if (node.name === edge.name && !node.inBundle && edge.isSatisfiedBy(node)) return node;
		queue.push(...node.children.values());
	}
	return null;
}

/** The nearest release for another version would be the same again. */
const isSameNearest = ({ to }: Edge, dependency: TreeNode): boolean =>
	isWasmRelease(dependency.name) && to?.version === dependency.version;

/** Finds a replacement for a package whose WebAssembly release was not published with it. */
function withoutRelease({ from: { packageName, version }, name, range }: Edge, { lines }: NpmError): string {
	const latest = lines.find((line) => line.startsWith('The latest is'));
	return `${packageName}@${version} may not start: its native code cannot run here, and ${name}@${range}, the same in WebAssembly, is not published.${latest ? ` ${latest}` : ''}`;
}

function nativeCode({ manifest: { name, version, os, cpu } }: TreeNode): string {
	const wanted = [...listOf(os), ...listOf(cpu)].join(', ');
	return `${name}@${version} is native code for ${wanted || 'another system'}: it is installed, and cannot run in a browser tab.`;
}

function overriddenPeer({ from, name, range }: Edge, kept: TreeNode | undefined): string {
	const used = kept ? `; ${kept.packageName}@${kept.version} is used` : '';
	return `Could not resolve dependency: peer ${name}@"${range}" from ${from.packageName}@${from.version}${used}.`;
}

function refuse({ from, name, range, kind }: Edge, found: TreeNode | undefined): never {
	throw new NpmError(
		'ERESOLVE',
		'unable to resolve dependency tree',
		'',
		`Found: ${found?.packageName ?? name}@${found?.version ?? ''}`,
		'',
		'Could not resolve dependency:',
		`${kind.startsWith('peer') ? 'peer ' : ''}${name}@"${range}" from ${from.packageName}@${from.version}`,
		'',
		'Fix the upstream dependency conflict, or retry this command with --legacy-peer-deps.'
	);
}

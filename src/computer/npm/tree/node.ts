import satisfies from 'semver/functions/satisfies.js';
import type { NpmError } from '../errors.ts';
import { bundledNames, type PackageManifest } from '../registry/packument.ts';
import { parseSpec, type Spec } from '../registry/spec.ts';
import { isWasmRuntime } from '../registry/wasm-release.ts';
import type { OverrideRule } from './override-rule.ts';
import { overridden } from './overrides.ts';

/** npm's order of names. One shared collator: creating one per comparison takes longer than everything else. */
export const byName = new Intl.Collator('en').compare;

export type EdgeKind = 'prod' | 'dev' | 'optional' | 'peer' | 'peerOptional';

/** Dependency of a package in the tree. */
export class Edge {
	/** Set for a peer that cannot be resolved: the existing package stays. */
	isGivenUp = false;
	#spec: { range: string; spec: Spec } | null = null;
	#fits: { range: string; node: TreeNode; answer: boolean } | null = null;

	/** @param asked the manifest's own specification */
	constructor(
		readonly from: TreeNode,
		readonly name: string,
		readonly asked: string,
		readonly kind: EdgeKind
	) {}

	/** Required range, including `overrides`. */
	get range(): string {
		return this.from.location === '' ? this.asked : overridden(this.from.rules, this.name, this.asked);
	}

	get isPeer(): boolean {
		return this.kind === 'peer' || this.kind === 'peerOptional';
	}

	/** True if the dependency may be missing. */
	get isOptional(): boolean {
		return this.kind === 'optional' || this.kind === 'peerOptional';
	}

	/** Package that Node resolves this name to. */
	get to(): TreeNode | undefined {
		return this.from.find(this.name);
	}

	get isValid(): boolean {
		const { to } = this;
		if (!to) return this.isOptional;
		// A package inside its dependent is not a peer of it.
		if (this.isPeer && to.parent === this.from && this.from.parent !== null && !this.from.isTop) return false;
		return this.isSatisfiedBy(to) && sharesPeers(this.from, to, to);
	}

	isSatisfiedBy(node: TreeNode): boolean {
		const { range } = this;
		if (this.#fits?.node !== node || this.#fits.range !== range) {
			if (this.#spec?.range !== range) this.#spec = { range, spec: parseSpec(this.name, range) };
			this.#fits = { range, node, answer: node.name === this.name && fitsSpec(node, this.#spec.spec) };
		}
		return this.#fits.answer;
	}
}

/** Returns whether a location is that of an installed package, not of a directory of the project. */
export const isInModules = (location: string): boolean => /(^|\/)node_modules\//.test(location);

/** A package in its place in `node_modules`, or a directory of the project. */
export class TreeNode {
	readonly children = new Map<string, TreeNode>();
	parent: TreeNode | null = null;
	/** URL of its tarball; for a link its target directory, relative to the project. */
	resolved = '';
	integrity = '';
	/** Included in its parent's tarball. */
	inBundle = false;
	/** Target of a link: a directory of the project, or the same package around it. */
	target: TreeNode | null = null;
	rules: OverrideRule[] = [];
	/** Set if its peer dependencies, and those of its dependencies, are ignored. */
	ignoresPeers = false;
	/** Why the registry has no such package. */
	failure: NpmError | null = null;
	/** It is optional and has a dependency that does not exist: it stays in the lockfile but is not installed. */
	isInert = false;
	/** Root of its tree: of the project's, or of a set of peers under consideration. */
	#root: TreeNode = this;
	/** Dependencies of all nodes of a tree by name; stored in its root. */
	readonly #asked = new Map<string, Set<Edge>>();
	/** All nodes of a tree by name; stored in its root. */
	readonly #named = new Map<string, Set<TreeNode>>();
	/** True for a directory of the project, not of `node_modules`. */
	readonly isTop: boolean;
	#release: string | null = null;
	#edges: { manifest: PackageManifest; byName: Map<string, Edge> } | null = null;

	/**
	 * @param name the directory name in `node_modules`, which may be an alias
	 * @param location relative to the project: `''`, `node_modules/a`, `packages/b`
	 */
	constructor(
		readonly name: string,
		readonly location: string,
		public manifest: PackageManifest
	) {
		this.isTop = !isInModules(location);
	}

	get version(): string {
		return (this.target ?? this).manifest.version;
	}

	get packageName(): string {
		return this.manifest.name || this.name;
	}

	get depth(): number {
		return this.isTop || !this.parent ? 0 : this.parent.depth + 1;
	}

	get root(): TreeNode {
		return this.#root;
	}

	/** Resolves `name` from here, as Node does. */
	find(name: string): TreeNode | undefined {
		return this.children.get(name) ?? this.parent?.find(name);
	}

	/** This node and its ancestors, innermost first. */
	*ancestry(): Generator<TreeNode> {
		yield this;
		if (this.parent) yield* this.parent.ancestry();
	}

	/** Returns whether it is `ancestor` or below it. */
	isWithin(ancestor: TreeNode): boolean {
		for (const node of this.ancestry()) if (node === ancestor) return true;
		return false;
	}

	/** Moves a node, with everything below it, into this one's `node_modules`, replacing another one with its name. */
	adopt(child: TreeNode): void {
		this.children.get(child.name)?.detach();
		child.parent = this;
		child.ignoresPeers = this.ignoresPeers;
		this.children.set(child.name, child);
		child.#enter(this.#root);
	}

	/** Removes a node, with everything below it, from its tree. */
	detach(): void {
		if (this.parent?.children.get(this.name) === this) this.parent.children.delete(this.name);
		this.parent = null;
		for (const node of everyNode(this)) {
			node.#root.#named.get(node.name)?.delete(node);
			for (const edge of node.edges()) node.#root.#asked.get(edge.name)?.delete(edge);
		}
		this.#enter(this);
	}

	/** Adds a directory of the project to the tree in which links lead to it. */
	joinProject(root: TreeNode): void {
		this.parent = root;
		this.ignoresPeers = root.ignoresPeers;
		this.#enter(root);
	}

	/** Makes this the root of a separate tree. */
	stand(): this {
		this.#enter(this);
		return this;
	}

	#enter(root: TreeNode): void {
		for (const node of everyNode(this)) {
			node.#root = root;
			add(root.#named, node.name, node);
			for (const edge of node.edges()) add(root.#asked, edge.name, edge);
		}
	}

	/** All nodes of the tree with the same name. */
	namesakes(): TreeNode[] {
		return [...(this.#root.#named.get(this.name) ?? [])];
	}

	/** Dependencies resolved to this node. */
	edgesIn(): Edge[] {
		return [...(this.#root.#asked.get(this.name) ?? [])].filter((edge) => edge.to === this);
	}

	/** Its WebAssembly release, which is neither in its manifest nor in lockfiles. */
	get release(): string | null {
		return this.#release;
	}

	set release(name: string | null) {
		if (name === this.#release) return;
		for (const edge of this.edges()) this.#root.#asked.get(edge.name)?.delete(edge);
		this.#release = name;
		this.#edges = null;
		this.#enter(this.#root);
	}

	/** Its dependencies in the order in which npm reads them. */
	edges(): readonly Edge[] {
		return [...this.#known().values()];
	}

	edge(name: string): Edge | undefined {
		return this.#known().get(name);
	}

	/** Returns whether a dependency is included in its own tarball. */
	bundles(name: string): boolean {
		return !this.isTop && bundledNames(this.manifest).includes(name);
	}

	#known(): Map<string, Edge> {
		if (this.#edges?.manifest !== this.manifest) this.#edges = { manifest: this.manifest, byName: this.#readEdges() };
		return this.#edges.byName;
	}

	#readEdges(): Map<string, Edge> {
		const { manifest } = this;
		const edges = new Map<string, Edge>();
		if (this.target) return edges;
		const add = (list: Record<string, string> | undefined, kind: EdgeKind) => {
			for (const [name, range] of Object.entries(list ?? {})) {
				// A duplicate counts at its last position.
				edges.delete(name);
				edges.set(name, new Edge(this, name, range, kind));
			}
		};
		if (!this.ignoresPeers || isWasmRuntime(this.packageName)) {
			const peers = Object.entries(manifest.peerDependencies ?? {});
			for (const mayBeMissing of [false, true]) {
				const some = peers.filter(([name]) => isOptional(manifest, name) === mayBeMissing);
				add(Object.fromEntries(some), mayBeMissing ? 'peerOptional' : 'peer');
			}
		}
		add(manifest.dependencies, 'prod');
		add(manifest.optionalDependencies, 'optional');
		if (this.release !== null) add({ [this.release]: this.version }, 'optional');
		if (this.isTop) add(manifest.devDependencies, 'dev');
		return edges;
	}

	/** Returns whether this package satisfies `range` under this name. */
	fits(range: string, name = this.name): boolean {
		return fitsSpec(this, parseSpec(name, range));
	}

	/** Returns whether both are the same package, in any places. */
	matches(other: TreeNode): boolean {
		return (
			this.name === other.name &&
			this.packageName === other.packageName &&
			this.version === other.version &&
			this.target === other.target &&
			(this.integrity === '' || other.integrity === '' || this.integrity === other.integrity)
		);
	}
}

/** Returns whether a node satisfies a dependency's specification. */
function fitsSpec(node: TreeNode, spec: Spec): boolean {
	const { version } = node;
	switch (spec.kind) {
		case 'range':
			// A directory of the project is accepted whatever its version.
			return node.target !== null || spec.range === '*' || satisfies(version, spec.range, { loose: true });
		case 'tag':
			return true;
		case 'alias':
			return node.packageName === spec.name && fitsSpec(node, spec.spec);
		case 'file':
		case 'workspace':
			return node.target !== null;
	}
}

/**
 * Returns whether a package at a place would use the same copies of its peers as its dependent. Only runtimes of
 * WebAssembly need the same copies, and crash with others; for all others npm accepts any matching version.
 */
export function sharesPeers(from: TreeNode, runtime: TreeNode, place: TreeNode): boolean {
	if (!isWasmRuntime(runtime.packageName)) return true;
	const shared = runtime.edges().filter(({ kind, name }) => kind === 'peer' && from.edge(name) !== undefined);
	return shared.every(({ name }) => place.find(name) === from.find(name));
}

function add<T>(sets: Map<string, Set<T>>, name: string, value: T): void {
	const known = sets.get(name);
	if (known) known.add(value);
	else sets.set(name, new Set([value]));
}

function isOptional({ peerDependenciesMeta }: PackageManifest, name: string): boolean {
	return peerDependenciesMeta?.[name]?.optional === true;
}

/** A node and everything below it, parents first, including the directories of the project that links lead to. */
export function* everyNode(node: TreeNode): Generator<TreeNode> {
	yield node;
	for (const child of node.children.values()) {
		yield* everyNode(child);
		// A link to the project itself leads back to the start.
		if (child.target?.isTop && child.target.location !== '') yield* everyNode(child.target);
	}
}

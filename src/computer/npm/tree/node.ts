import type { NpmError } from '../errors.ts';
import { bundledNames, type PackageManifest } from '../registry/packument.ts';
import { parseSpec } from '../registry/spec.ts';
import { isWasmRuntime } from '../registry/wasm-release.ts';
import { Edge, type EdgeKind, fitsSpec } from './edge.ts';
import type { OverrideRule } from './override-rule.ts';

/** npm's order of names. One collator: making one for each comparison takes longer than all else. */
export const byName = new Intl.Collator('en').compare;

/** A package in its place in `node_modules`, or a directory of the project. */
export class TreeNode {
	readonly children = new Map<string, TreeNode>();
	parent: TreeNode | null = null;
	/** Address of its tarball; for a link its target directory, relative to the project. */
	resolved = '';
	integrity = '';
	/** Comes inside its parent's tarball. */
	inBundle = false;
	/** Leads to a directory of the project, or to the same package around it. */
	target: TreeNode | null = null;
	rules: OverrideRule[] = [];
	/** Its peer dependencies, and those of what it has, count for nothing. */
	ignoresPeers = false;
	/** Why the registry has no such package. */
	failure: NpmError | null = null;
	/** It is optional and needs what there is not: it stays in the lockfile, and is not installed. */
	isInert = false;
	/** Head of the tree that it is in: of the project's, or of a set of peers that is tried. */
	#root: TreeNode = this;
	/** Dependencies of all nodes of a tree by name; kept by its head. */
	readonly #asked = new Map<string, Set<Edge>>();
	/** All nodes of a tree by name; kept by its head. */
	readonly #named = new Map<string, Set<TreeNode>>();
	#release: string | null = null;
	#edges: { manifest: PackageManifest; byName: Map<string, Edge> } | null = null;

	/**
	 * @param name the directory in `node_modules`, which may be an alias
	 * @param location from the project: `''`, `node_modules/a`, `packages/b`
	 */
	constructor(
		readonly name: string,
		readonly location: string,
		public manifest: PackageManifest
	) {}

	get version(): string {
		return (this.target ?? this).manifest.version;
	}

	get packageName(): string {
		return this.manifest.name || this.name;
	}

	/** Whether it is a directory of the project, not of `node_modules`. */
	get isTop(): boolean {
		return !/(^|\/)node_modules\//.test(this.location);
	}

	get depth(): number {
		return this.isTop || !this.parent ? 0 : this.parent.depth + 1;
	}

	get root(): TreeNode {
		return this.#root;
	}

	/** Node's resolution of `name` from here. */
	find(name: string): TreeNode | undefined {
		return this.children.get(name) ?? this.parent?.find(name);
	}

	/** This node and those around it, inner ones first. */
	*ancestry(): Generator<TreeNode> {
		yield this;
		if (this.parent) yield* this.parent.ancestry();
	}

	/** Whether it is below `ancestor`, or is it. */
	isWithin(ancestor: TreeNode): boolean {
		for (const node of this.ancestry()) if (node === ancestor) return true;
		return false;
	}

	/** Puts a node, with all that is below it, into this one's `node_modules`, in the place of another of its name. */
	adopt(child: TreeNode): void {
		this.children.get(child.name)?.detach();
		child.parent = this;
		child.ignoresPeers = this.ignoresPeers;
		this.children.set(child.name, child);
		child.#enter(this.#root);
	}

	/** Takes a node, with all that is below it, out of its tree. */
	detach(): void {
		if (this.parent?.children.get(this.name) === this) this.parent.children.delete(this.name);
		this.parent = null;
		for (const node of everyNode(this)) {
			node.#root.#named.get(node.name)?.delete(node);
			for (const edge of node.edges()) node.#root.#asked.get(edge.name)?.delete(edge);
		}
		this.#enter(this);
	}

	/** Makes a directory of the project part of its tree, where links lead to it. */
	joinProject(root: TreeNode): void {
		this.parent = root;
		this.ignoresPeers = root.ignoresPeers;
		this.#enter(root);
	}

	/** Makes this the head of a tree of its own. */
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

	/** The dependencies that this node serves. */
	edgesIn(): Edge[] {
		return [...(this.#root.#asked.get(this.name) ?? [])].filter((edge) => edge.to === this);
	}

	/** Its WebAssembly release, which its manifest does not name and no lockfile gets. */
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

	/** Whether a dependency comes in its own tarball. */
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
				// What is named twice counts where it stands last.
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

	/** True when this package is what `range` asks for under this name. */
	fits(range: string, name = this.name): boolean {
		return fitsSpec(this, parseSpec(name, range));
	}

	/** Whether both are the same package, in whatever places. */
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

function add<T>(sets: Map<string, Set<T>>, name: string, value: T): void {
	const known = sets.get(name);
	if (known) known.add(value);
	else sets.set(name, new Set([value]));
}

function isOptional({ peerDependenciesMeta }: PackageManifest, name: string): boolean {
	return peerDependenciesMeta?.[name]?.optional === true;
}

/** A node and all below it, parents first; the directories that links lead to as well. */
export function* everyNode(node: TreeNode): Generator<TreeNode> {
	yield node;
	for (const child of node.children.values()) {
		yield* everyNode(child);
		if (child.target?.isTop) yield* everyNode(child.target);
	}
}

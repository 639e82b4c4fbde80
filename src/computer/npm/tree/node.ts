import satisfies from 'semver/functions/satisfies.js';
import type { PackageManifest } from '../registry/packument.ts';
import type { Spec } from '../registry/spec.ts';
import { parseSpec } from '../registry/spec.ts';
import { isWasmRuntime } from '../registry/wasm-release.ts';
import type { OverrideRule } from './override-rule.ts';

/** npm's order of names. One collator: making one for each comparison takes longer than all else. */
export const byName = new Intl.Collator('en').compare;

export type EdgeKind = 'prod' | 'dev' | 'optional' | 'peer' | 'peerOptional' | 'workspace';

/** One dependency of a package. */
export interface Edge {
	name: string;
	range: string;
	kind: EdgeKind;
}

/** A package in its place in `node_modules`, or a directory of the project. */
export class TreeNode {
	readonly children = new Map<string, TreeNode>();
	parent: TreeNode | null = null;
	/** Address of its tarball; for a link its target directory, relative to the project. */
	resolved = '';
	integrity = '';
	/** Comes inside its parent's tarball. */
	inBundle = false;
	/** Leads to a directory of the project. */
	target: TreeNode | null = null;
	rules: OverrideRule[] = [];
	/** Its peer dependencies, and those of what it has, count for nothing. */
	ignoresPeers = false;
	#release: string | null = null;
	#edges: { manifest: PackageManifest; list: Edge[] } | null = null;

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

	get depth(): number {
		return this.parent ? this.parent.depth + 1 : 0;
	}

	/** Node's resolution of `name` from here. */
	find(name: string): TreeNode | undefined {
		return this.children.get(name) ?? this.parent?.find(name);
	}

	adopt(child: TreeNode): void {
		child.parent = this;
		child.ignoresPeers = this.ignoresPeers;
		this.children.set(child.name, child);
	}

	/** Its WebAssembly release, which its manifest does not name and no lockfile gets. */
	get release(): string | null {
		return this.#release;
	}

	set release(name: string | null) {
		this.#release = name;
		this.#edges = null;
	}

	/** Its dependencies in npm's order, without bundled ones. */
	edges(): readonly Edge[] {
		if (this.#edges?.manifest !== this.manifest) this.#edges = { manifest: this.manifest, list: this.#readEdges() };
		return this.#edges.list;
	}

	#readEdges(): Edge[] {
		const { manifest } = this;
		const isTop = !this.location.startsWith('node_modules/') && !this.location.includes('/node_modules/');
		const bundled = isTop ? [] : (manifest.bundleDependencies ?? manifest.bundledDependencies ?? []);
		const edges = new Map<string, Edge>();
		const add = (list: Record<string, string> | undefined, kind: EdgeKind) => {
			for (const [name, range] of Object.entries(list ?? {})) {
				const isBundled = bundled === true || (Array.isArray(bundled) && bundled.includes(name));
				if (!isBundled && !(isTop && kind !== 'peer' && edges.get(name)?.kind === 'prod' && kind === 'dev'))
					edges.set(name, { name, range, kind: kind === 'peer' && isOptional(manifest, name) ? 'peerOptional' : kind });
			}
		};
		if (!this.ignoresPeers || isWasmRuntime(this.packageName)) add(manifest.peerDependencies, 'peer');
		add(manifest.dependencies, 'prod');
		add(manifest.optionalDependencies, 'optional');
		if (this.release !== null) add({ [this.release]: this.version }, 'optional');
		if (isTop) add(manifest.devDependencies, 'dev');
		return [...edges.values()].sort((a, b) => byName(a.name, b.name));
	}

	/** True when this package is what `range` asks for under this name. */
	fits(range: string, name = this.name): boolean {
		return fitsSpec(this, parseSpec(name, range));
	}
}

function fitsSpec(node: TreeNode, spec: Spec): boolean {
	const { version } = node;
	switch (spec.kind) {
		case 'range':
			// A directory of the project is what it is, whatever version it says.
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

function isOptional({ peerDependenciesMeta }: PackageManifest, name: string): boolean {
	return peerDependenciesMeta?.[name]?.optional === true;
}

/** A node and all below it, parents first; the directories that links lead to as well. */
export function* everyNode(node: TreeNode): Generator<TreeNode> {
	yield node;
	for (const child of node.children.values()) {
		yield* everyNode(child);
		if (child.target) yield* everyNode(child.target);
	}
}

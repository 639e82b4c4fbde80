import satisfies from 'semver/functions/satisfies.js';
import { parseSpec, type Spec } from '../registry/spec.ts';
import { isWasmRuntime } from '../registry/wasm-release.ts';
import type { TreeNode } from './node.ts';
import { overridden } from './overrides.ts';

export type EdgeKind = 'prod' | 'dev' | 'optional' | 'peer' | 'peerOptional';

/** One dependency of a package in its place. */
export class Edge {
	/** Whether it is a peer that nothing can be found for: what is there stays. */
	isGivenUp = false;
	#spec: { range: string; spec: Spec } | null = null;
	#fits: { range: string; node: TreeNode; answer: boolean } | null = null;

	/** @param asked what the manifest asks for */
	constructor(
		readonly from: TreeNode,
		readonly name: string,
		readonly asked: string,
		readonly kind: EdgeKind
	) {}

	/** What is asked for, `overrides` included. */
	get range(): string {
		return this.from.location === '' ? this.asked : overridden(this.from.rules, this.name, this.asked);
	}

	get isPeer(): boolean {
		return this.kind === 'peer' || this.kind === 'peerOptional';
	}

	/** Whether the dependency may be missing. */
	get isOptional(): boolean {
		return this.kind === 'optional' || this.kind === 'peerOptional';
	}

	/** What Node finds under this name. */
	get to(): TreeNode | undefined {
		return this.from.find(this.name);
	}

	get isValid(): boolean {
		const { to } = this;
		if (!to) return this.isOptional;
		// A package inside its dependent is no peer of it.
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

/** Returns true where a node is what a dependency asks for. */
export function fitsSpec(node: TreeNode, spec: Spec): boolean {
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

/**
 * Returns true if a package at a place gets the copies of its peers that its dependent has. Only runtimes of
 * WebAssembly need the same copies, and crash with others; for the rest npm is content with a version that fits.
 */
export function sharesPeers(from: TreeNode, runtime: TreeNode, place: TreeNode): boolean {
	if (!isWasmRuntime(runtime.packageName)) return true;
	const shared = runtime.edges().filter(({ kind, name }) => kind === 'peer' && from.edge(name) !== undefined);
	return shared.every(({ name }) => place.find(name) === from.find(name));
}

import { NpmError } from '../errors.ts';
import type { PublishedManifest } from '../registry/packument.ts';
import { promisedIntegrity } from '../registry/integrity.ts';
import { parseSpec } from '../registry/spec.ts';
import { canReplace } from './dependency-sets.ts';
import { byName, type Edge, TreeNode } from './node.ts';
import { rulesBelow } from './overrides.ts';

export interface PeerSetOptions {
	/** Chooses a version. @returns null for directories, which are not in the registry. @throws NpmError */
	choose(edge: Edge): Promise<PublishedManifest | null>;
	/** Conflicts of peers are not errors. */
	force: boolean;
	/** @throws NpmError */
	refuse(edge: Edge, found: TreeNode | undefined): never;
}

/** Error codes of a package that does not exist. */
const MISSING = ['E404', 'ETARGET'];

/** Maximum number of packages of one set; real ones have a few hundred. */
const MOST_TRIED = 5_000;

/** Packages replacing each other in turns: npm itself loops forever. */
export const endless = ({ packageName, version }: TreeNode): NpmError =>
	new NpmError(
		'ERESOLVE',
		`the dependencies of ${packageName}@${version} contradict each other without an end.`,
		'Choose another version of it, or retry this command with --legacy-peer-deps.'
	);

/**
 * Packages with all their peers, in separate trees that have the dependencies of the requiring one: peers are tried
 * there before they are added to the project's tree.
 */
export class PeerSets {
	readonly #heads = new WeakMap<TreeNode, TreeNode>();
	/** Nodes by the roots that have their dependencies. */
	readonly #sources = new WeakMap<TreeNode, TreeNode>();

	/** Number of packages tried for one dependency. */
	#tried = 0;

	constructor(private readonly options: PeerSetOptions) {}

	/** Returns the node whose dependencies the root of a tree has. */
	#sourceOf(node: TreeNode): TreeNode {
		return this.#sources.get(node) ?? node;
	}

	/**
	 * Returns the root of an empty tree with the dependencies of `source`.
	 * @param isNew creates a new one even if one exists
	 */
	head(source: TreeNode, isNew = false): TreeNode {
		const known = isNew ? undefined : this.#heads.get(source);
		if (known) return known;
		const head = new TreeNode(source.name, source.location, source.manifest);
		head.rules = source.rules;
		head.ignoresPeers = source.ignoresPeers;
		head.release = source.release;
		head.stand();
		this.#heads.set(source, head);
		this.#sources.set(head, source);
		return head;
	}

	/** Creates the package for a dependency, with its peers. @returns null for a directory @throws NpmError */
	nodeFor(edge: Edge, head: TreeNode | null): Promise<TreeNode | null> {
		this.#tried = 0;
		return this.#add(edge, head ?? this.head(edge.from, true), null, new Set([edge.from]));
	}

	/**
	 * @param second another dependency on the same package, whose version is used if it satisfies both
	 * @param required packages that must be installed
	 */
	async #add(edge: Edge, head: TreeNode, second: Edge | null, required: Set<TreeNode>): Promise<TreeNode | null> {
		const first = await this.#fetch(edge, head);
		if (!first) return null;
		head.adopt(first);
		let node = first;
		if (second && !second.isValid) {
			const other = await this.#fetch(second, head);
			if (other) {
				head.adopt(other);
				if (edge.isValid) node = other;
				else head.adopt(first);
			}
		}
		const isRequired = (one: Edge | null) => one !== null && required.has(one.from) && one.kind !== 'peerOptional';
		if (isRequired(edge) || isRequired(second)) required.add(node);
		this.#tried += 1;
		if (this.#tried > MOST_TRIED) throw endless(node);
		await this.#addPeers(node, required);
		return node;
	}

	async #addPeers(node: TreeNode, required: Set<TreeNode>): Promise<void> {
		const head = node.parent;
		if (!head) return;
		const isMine = this.#sourceOf(head).isTop;
		const mayConflict = this.options.force || !isMine;
		const peers = node.edges().filter((edge) => edge.isPeer && !(edge.isValid && edge.to));
		for (const edge of peers.sort((a, b) => byName(a.name, b.name))) {
			if (!node.parent) return;
			const current = edge.to;
			if (current && edge.isValid) continue;
			const asked = head.edge(edge.name);
			if (!current) {
				if (!asked) {
					await this.#add(edge, head, null, required);
					continue;
				}
				const found = await this.#add(asked, head, edge, required);
				if (edge.isValid) continue;
				if (!mayConflict && found && required.has(found)) this.options.refuse(edge, edge.to);
				edge.isGivenUp = true;
				continue;
			}
			const wanted = await this.#add(edge, this.head(node, true), null, required);
			if (wanted && canReplace(wanted, current)) await this.#add(edge, head, null, required);
			else if (!mayConflict && required.has(node)) this.options.refuse(edge, current);
		}
	}

	async #fetch(edge: Edge, head: TreeNode): Promise<TreeNode | null> {
		let node: TreeNode;
		try {
			const manifest = await this.options.choose(edge);
			if (!manifest) return null;
			node = new TreeNode(edge.name, `node_modules/${edge.name}`, manifest);
			node.resolved = manifest.dist.tarball;
			node.integrity = promisedIntegrity(manifest.dist);
		} catch (error) {
			// A missing package may be part of something optional: that is only known in the end.
			if (!(error instanceof NpmError) || !(edge.isOptional || MISSING.includes(error.code))) throw error;
			const spec = parseSpec(edge.name, edge.range);
			const name = spec.kind === 'alias' ? spec.name : edge.name;
			node = new TreeNode(edge.name, `node_modules/${edge.name}`, { name, version: '' });
			node.failure = error;
		}
		node.ignoresPeers = head.ignoresPeers;
		node.rules = rulesBelow(edge.from.rules, node.packageName, node.version);
		return node;
	}
}

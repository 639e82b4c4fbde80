import type { Edge } from './node.ts';
import rcompare from 'semver/functions/rcompare.js';
import satisfies from 'semver/functions/satisfies.js';
import { NpmError } from '../errors.ts';
import type { PublishedManifest } from '../registry/packument.ts';
import { pickVersion } from '../registry/pick.ts';
import type { Registry } from '../registry/registry.ts';
import { checkName, parseSpec, type Spec } from '../registry/spec.ts';
import { isWasmRelease, isWasmRuntime, nearestRelease } from '../registry/wasm-release.ts';
import type { LockedVersions } from './foreign-lockfile.ts';

/**
 * Chooses the version for a dependency.
 * @param locked versions that are preferred
 * @returns null for a directory.
 * @throws NpmError ETARGET, EUNSUPPORTEDPROTOCOL and errors of the registry
 */
export async function choose(
	edge: Edge,
	registry: Registry,
	locked: LockedVersions
): Promise<PublishedManifest | null> {
	const { range } = edge;
	let spec: Spec = parseSpec(edge.name, range);
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
		const nearest = edge.kind === 'optional' && isWasmRelease(name) ? nearestRelease(packument, range) : null;
		if (nearest === null) throw error;
		return pickVersion(packument, { kind: 'range', range: nearest });
	}
}

/**
 * Chooses the newest version of a WebAssembly runtime whose peers its dependent has: newer ones do not work with an
 * older `@emnapi/core`.
 * @returns `chosen` for all other packages, and if no version matches
 */
export async function runtimeFor(
	edge: Edge,
	chosen: PublishedManifest,
	registry: Registry,
	locked: LockedVersions
): Promise<PublishedManifest> {
	const { from, name, range } = edge;
	if (!isWasmRuntime(name)) return chosen;
	const versions = new Map<string, string>();
	const versionOf = async (peer: Edge): Promise<string> => {
		const known = versions.get(peer.name);
		if (known !== undefined) return known;
		const version = peer.isValid && peer.to ? peer.to.version : ((await choose(peer, registry, locked))?.version ?? '');
		versions.set(peer.name, version);
		return version;
	};
	const fits = async ({ peerDependencies = {} }: PublishedManifest): Promise<boolean> => {
		for (const [peer, wanted] of Object.entries(peerDependencies)) {
			const own = from.edge(peer);
			if (own && !satisfies(await versionOf(own), wanted, { loose: true })) return false;
		}
		return true;
	};
	if (await fits(chosen)) return chosen;
	const packument = await registry.packument(name);
	const candidates = Object.keys(packument.versions).filter((version) => satisfies(version, range));
	for (const version of candidates.sort(rcompare)) {
		const manifest = pickVersion(packument, { kind: 'range', range: version });
		if (await fits(manifest)) return manifest;
	}
	return chosen;
}

import satisfies from 'semver/functions/satisfies.js';
import { NODE_VERSION } from '#computer/abi/versions.ts';
import rcompare from 'semver/functions/rcompare.js';
import { NpmError } from '../errors.ts';
import { type Packument, type PublishedManifest, publishedShape } from './packument.ts';
import type { Spec } from './spec.ts';

const LOOSE = { loose: true };

/**
 * Picks the version npm would: the tagged one for a tag; for a range, the one tagged `latest` if it matches, otherwise
 * the highest, preferring those that support this Node and are not deprecated.
 *
 * @param locked versions that are preferred if a range allows it
 * @throws NpmError ETARGET
 */
export function pickVersion(packument: Packument, spec: Spec, locked?: ReadonlySet<string>): PublishedManifest {
	const { name, versions } = packument;
	const tags = packument['dist-tags'];
	const wanted = spec.kind === 'tag' ? spec.tag : spec.kind === 'range' ? spec.range : 'latest';
	const version = spec.kind === 'tag' ? tags[spec.tag] : highest(packument, wanted, locked);
	if (version === undefined || versions[version] === undefined) {
		throw new NpmError(
			'ETARGET',
			`No matching version found for ${name}@${wanted}.`,
			'In most cases you or one of your dependencies are requesting',
			"a package version that doesn't exist.",
			...(tags['latest'] ? [`The latest is ${tags['latest']}.`] : [])
		);
	}
	const parsed = publishedShape.safeParse(versions[version]);
	if (!parsed.success) throw new NpmError('EINVALIDPACKUMENT', `The registry's ${name}@${version} is no package.`);
	return { ...parsed.data, name, version };
}

function highest(packument: Packument, range: string, locked?: ReadonlySet<string>): string | undefined {
	const known = [...(locked ?? [])].filter(
		(version) => Object.hasOwn(packument.versions, version) && satisfies(version, range, LOOSE)
	);
	if (known.length > 0) return known.sort((a, b) => rcompare(a, b, LOOSE))[0];
	const latest = packument['dist-tags']['latest'];
	const isDeprecated = (version: string) => Boolean(Reflect.get(Object(packument.versions[version]), 'deprecated'));
	const isFor = (version: string) => isForThisNode(packument.versions[version]);
	const isAnything = /^(|\*|x)$/i.test(range.trim());
	if (
		latest !== undefined &&
		packument.versions[latest] &&
		(isAnything || satisfies(latest, range, LOOSE)) &&
		!isDeprecated(latest) &&
		isFor(latest)
	)
		return latest;
	const fitting = Object.keys(packument.versions).filter((version) => satisfies(version, range, LOOSE));
	const isGood = (version: string) => isFor(version) && !isDeprecated(version);
	fitting.sort(
		(a, b) =>
			Number(isGood(b)) - Number(isGood(a)) ||
			Number(isFor(b)) - Number(isFor(a)) ||
			Number(isDeprecated(a)) - Number(isDeprecated(b)) ||
			rcompare(a, b, LOOSE)
	);
	// A range that allows anything takes `latest` even if that is a pre-release.
	return fitting[0] ?? (isAnything ? latest : undefined);
}

/** Returns whether a version's `engines` allow this Node; without them, it does. */
function isForThisNode(manifest: unknown): boolean {
	const engines: unknown = Reflect.get(Object(manifest), 'engines');
	const node: unknown = Reflect.get(Object(engines), 'node');
	return typeof node !== 'string' || satisfies(NODE_VERSION, node, LOOSE);
}

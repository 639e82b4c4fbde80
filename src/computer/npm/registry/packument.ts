import { z } from 'zod';

const names = z.record(z.string(), z.string());
const bundled = z.union([z.boolean(), z.array(z.string())]);
const oneOrMore = z.union([z.string(), z.array(z.string())]);

/** Part of a package.json, or of its abbreviated form in the registry, that installing needs. */
export const manifestShape = z.object({
	name: z.string().default(''),
	version: z.string().default(''),
	dependencies: names.optional().catch(undefined),
	devDependencies: names.optional().catch(undefined),
	optionalDependencies: names.optional().catch(undefined),
	peerDependencies: names.optional().catch(undefined),
	peerDependenciesMeta: z
		.record(z.string(), z.looseObject({ optional: z.boolean().optional() }))
		.optional()
		.catch(undefined),
	bundleDependencies: bundled.optional().catch(undefined),
	/** The other name of {@link bundleDependencies}. */
	bundledDependencies: bundled.optional().catch(undefined),
	bin: z.union([z.string(), names]).optional().catch(undefined),
	directories: z.object({ bin: z.string().optional() }).optional().catch(undefined),
	/** Old packages have a list of requirements. */
	engines: z
		.union([names, z.array(z.string())])
		.optional()
		.catch(undefined),
	os: oneOrMore.optional().catch(undefined),
	cpu: oneOrMore.optional().catch(undefined),
	libc: oneOrMore.optional().catch(undefined),
	/** Old packages have a record of the license and the URL of its text. */
	license: z
		.union([z.string(), z.object({ type: z.string() }).transform(({ type }) => type)])
		.optional()
		.catch(undefined),
	funding: z.unknown().optional(),
	hasInstallScript: z.boolean().optional().catch(undefined),
	scripts: names.optional().catch(undefined),
	deprecated: z.string().optional().catch(undefined),
	workspaces: z
		.union([z.array(z.string()), z.object({ packages: z.array(z.string()) })])
		.optional()
		.catch(undefined),
	overrides: z.record(z.string(), z.unknown()).optional().catch(undefined)
});

/** Fields of a package.json that name packages. */
export const DEPENDENCY_KINDS = [
	'dependencies',
	'devDependencies',
	'optionalDependencies',
	'peerDependencies'
] as const;

export type PackageManifest = z.infer<typeof manifestShape>;

/**
 * Returns whether npm would run a script of a package when it is installed; only the registry's abbreviated form states
 * it explicitly.
 */
export function runsScript({ hasInstallScript, scripts = {} }: Partial<PackageManifest>): boolean {
	return hasInstallScript ?? ['preinstall', 'install', 'postinstall'].some((name) => Object.hasOwn(scripts, name));
}

/** Names of the dependencies included in a package's own tarball. */
export function bundledNames(manifest: Partial<PackageManifest>): string[] {
	const { bundleDependencies: names = manifest.bundledDependencies ?? [] } = manifest;
	return typeof names === 'boolean' ? (names ? Object.keys(manifest.dependencies ?? {}) : []) : names;
}

export const publishedShape = manifestShape.extend({
	dist: z.object({ tarball: z.string(), integrity: z.string().optional(), shasum: z.string().optional() })
});

/** One version as listed by the registry. */
export type PublishedManifest = z.infer<typeof publishedShape>;

/** All versions of a package. Each is only parsed when it is chosen: there may be thousands. */
export const packumentShape = z.object({
	name: z.string(),
	'dist-tags': names,
	versions: z.record(z.string(), z.unknown()),
	time: names.optional()
});

export type Packument = z.infer<typeof packumentShape>;

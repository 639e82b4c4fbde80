import { parse } from 'yaml';
import { z } from 'zod';
import type { SyncSyscalls } from '#computer/abi/client.ts';
import { NpmError } from '../errors.ts';
import { inside, ManifestError } from '../manifest.ts';
import { DEPENDENCY_KINDS, type PackageManifest } from '../registry/packument.ts';

const ranges = z.record(z.string(), z.string());
const shape = z
	.object({
		packages: z.array(z.string()).default([]),
		catalog: ranges.default({}),
		catalogs: z.record(z.string(), ranges).default({})
	})
	.catch({ packages: [], catalog: {}, catalogs: {} });

export interface PnpmWorkspace {
	/** Patterns of directories that are packages of the project. */
	packages: string[];
	/** Named lists of ranges; `default` is used for `catalog:` alone. */
	catalogs: Record<string, Record<string, string>>;
}

const FILE = 'pnpm-workspace.yaml';

/** Content of pnpm-workspace.yaml; `null` if there is none. @throws ManifestError if it is not YAML */
export function readPnpmWorkspace(sync: SyncSyscalls, directory: string): PnpmWorkspace | null {
	const file = inside(directory, FILE);
	if (sync.statOrNull(file)?.kind !== 'file') return null;
	let text: unknown;
	try {
		text = parse(new TextDecoder().decode(sync.readFile(file)));
	} catch (error) {
		throw new ManifestError('EJSONPARSE', `${file}: ${error instanceof Error ? error.message : String(error)}`);
	}
	const { packages, catalog, catalogs } = shape.parse(text ?? {});
	return { packages, catalogs: { default: catalog, ...catalogs } };
}

/**
 * Replaces `catalog:` dependencies of a manifest by their ranges. @throws NpmError if a catalog lacks the name
 */
export function withCatalogs(manifest: PackageManifest, workspace: PnpmWorkspace | null): PackageManifest {
	if (!workspace) return manifest;
	const resolved = { ...manifest };
	for (const kind of DEPENDENCY_KINDS) {
		const list = manifest[kind];
		if (!list) continue;
		resolved[kind] = Object.fromEntries(
			Object.entries(list).map(([name, range]) => [name, range.startsWith('catalog:') ? entryOf(name, range) : range])
		);
	}
	return resolved;

	function entryOf(name: string, range: string): string {
		const catalog = range.slice('catalog:'.length) || 'default';
		const found = workspace?.catalogs[catalog]?.[name];
		if (found !== undefined) return found;
		throw new NpmError('EUNSUPPORTEDPROTOCOL', `No catalog "${catalog}" in ${FILE} names ${name}.`);
	}
}

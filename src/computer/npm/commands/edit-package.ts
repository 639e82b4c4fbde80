import validVersion from 'semver/functions/valid.js';
import subset from 'semver/ranges/subset.js';
import type { SyncSyscalls } from '#computer/abi/client.ts';
import type { InstallOptions } from '../install/options.ts';
import { inside } from '../manifest.ts';
import { DEPENDENCY_KINDS } from '../registry/packument.ts';
import { parseSpec, type Spec } from '../registry/spec.ts';

const LOOSE = { loose: true };

/**
 * Range written to package.json: `^` and the chosen version, or the typed range if that allows less or names another
 * source.
 */
export function savedRange(
	name: string,
	asked: string,
	version: string,
	{ exact, keepsRanges }: Pick<InstallOptions, 'exact' | 'keepsRanges'>
): string {
	const spec = parseSpec(name, asked);
	const chosen = exact ? version : `^${version}`;
	const saved = (one: Spec): string => {
		if (one.kind === 'tag') return chosen;
		if (one.kind !== 'range') return asked;
		if (one.range === '*') return chosen;
		if (keepsRanges) return one.range;
		// A single version, or a range that allows everything that the caret does.
		const isSingle = validVersion(one.range, LOOSE) !== null;
		return isSingle || subset(chosen, one.range, LOOSE) ? chosen : one.range;
	};
	return spec.kind === 'alias' ? `npm:${spec.name}@${saved(spec.spec)}` : saved(spec);
}

/** Changes the dependencies in the text of package.json, preserving its indentation. */
export function editPackage(
	sync: SyncSyscalls,
	directory: string,
	add: Record<string, Record<string, string>>,
	remove: string[]
): void {
	const file = inside(directory, 'package.json');
	const text = sync.statOrNull(file) ? new TextDecoder().decode(sync.readFile(file)) : '{}\n';
	const json: Record<string, unknown> = Object(JSON.parse(text));
	for (const kind of DEPENDENCY_KINDS) {
		const known = json[kind];
		const rest = Object.entries(Object(known)).filter(([name]) => !remove.includes(name));
		const list = Object.fromEntries(
			[...rest, ...Object.entries(add[kind] ?? {})].sort(([a], [b]) => a.localeCompare(b, 'en'))
		);
		if (Object.keys(list).length > 0) json[kind] = list;
		else if (known !== undefined && Object.keys(Object(known)).length > 0) delete json[kind];
	}
	const indent = /^[{[]\s*?\n([ \t]+)/.exec(text)?.[1] ?? '  ';
	sync.writeFile(file, new TextEncoder().encode(`${JSON.stringify(json, null, indent)}\n`));
}

import type { SyncSyscalls } from '#computer/abi/client.ts';
import { inside } from '../manifest.ts';

/** Locked versions by package name. */
export type LockedVersions = ReadonlyMap<string, ReadonlySet<string>>;

const VERSION = String.raw`(\d+\.\d+\.\d+[^\s"'():,]*)`;
const NAME = String.raw`((?:@[\w.~-]+\/)?[\w.~-]+)`;

/**
 * Lockfiles of other package managers in lookup order, with patterns for names and versions in them: these are on lines
 * of their own, so files of many thousands of lines need not be parsed.
 */
const LOCKFILES: [file: string, pattern: RegExp][] = [
	// `  /name@1.2.3(peer@4):` of version 6, `  'name@1.2.3':` of version 9, `  /name/1.2.3:` of version 5.
	['pnpm-lock.yaml', new RegExp(String.raw`^  ['"]?\/?${NAME}[@/]${VERSION}(?:\(.*\))?['"]?:`, 'gm')],
	// `"name@npm:^1.0.0, name@^1":` and its `version "1.2.3"` on the next line; only newer files have a colon there.
	['yarn.lock', new RegExp(String.raw`^"?${NAME}@.*:\n  version:? "?${VERSION}`, 'gm')],
	// `    "name": ["name@1.2.3", …`.
	['bun.lock', new RegExp(String.raw`^    "[^"]+": \["${NAME}@${VERSION}"`, 'gm')]
];

/**
 * Reads the lockfile of another package manager, so that its users get the locked versions. Empty if there is none.
 */
export function lockedElsewhere(sync: SyncSyscalls, project: string): LockedVersions {
	const versions = new Map<string, Set<string>>();
	const found = LOCKFILES.find(([file]) => sync.statOrNull(inside(project, file))?.kind === 'file');
	if (!found) return versions;
	const [file, pattern] = found;
	const text = new TextDecoder().decode(sync.readFile(inside(project, file))).replaceAll('\r\n', '\n');
	for (const [, name = '', version = ''] of text.matchAll(pattern)) {
		const known = versions.get(name);
		if (known) known.add(version);
		else versions.set(name, new Set([version]));
	}
	return versions;
}

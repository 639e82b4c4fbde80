import { isSpecialKind } from '#computer/abi/special-files.ts';
import { withContents } from '#computer/process/contents.ts';
import type { WireStat } from '#computer/abi/syscalls.ts';
import { globRegExp } from '#computer/shell/expansion/pattern.ts';
import type { Call } from '#computer/shell/state/host.ts';
import type { Options } from '../options.ts';

/** File to search, with its displayed name. */
export interface SearchedFile {
	name: string;
	/** `null`: does not exist. `undefined`: not checked, as for the standard input. */
	stat: WireStat | null | undefined;
	/** Content; undefined if it is too large to be read at once. */
	content: Uint8Array | undefined;
}

/** Larger files are read piece by piece. */
const LARGE_BYTES = 1024 * 1024;
/** Sizes of contents requested at once: small at first, in case the search ends early. */
const LIMITS = { firstBytes: 64 * 1024, largestBytes: LARGE_BYTES };

/** Yields the operands themselves. */
export function* namedFiles(call: Call, names: readonly string[]): Generator<SearchedFile> {
	const { shell } = call;
	const { sync } = shell.host.context;
	for (const name of names) {
		const path = shell.path(name);
		const stat = name === '-' ? undefined : sync.statOrNull(path);
		if (!stat) yield { name, stat, content: undefined };
		else for (const [, content] of withContents(sync, [{ path, stat }], LIMITS)) yield { name, stat, content };
	}
}

/**
 * Yields files below the operands that are accepted by `--include` and similar options, with one call for a tree and
 * few for its contents.
 */
export function* filesBelow(
	call: Call,
	options: Options,
	names: readonly string[],
	bare: boolean
): Generator<SearchedFile> {
	const { shell } = call;
	const { sync } = shell.host.context;
	const globs = (option: string) => options.all(option).map((glob) => glob.replace(/\/$/, ''));
	const patterns = (option: string) => globs(option).map((glob) => globRegExp(glob));
	const [included, excluded, skipped] = [patterns('include'), patterns('exclude'), patterns('exclude-dir')];
	const skipDirectories = globs('exclude-dir').filter((glob) => /^[\w.-]+$/.test(glob));
	const wanted = (name: string) =>
		(included.length === 0 || included.some((one) => one.test(name))) && !excluded.some((one) => one.test(name));
	for (const name of names) {
		const path = shell.path(name || '.');
		const base = name.replace(/\/+$/, '').split('/').at(-1) ?? name;
		if (sync.statOrNull(path)?.kind !== 'directory') {
			yield* namedFiles(call, [name]);
			continue;
		}
		if (skipped.some((one) => one.test(base))) continue;
		const root = path === '/' ? '' : path;
		const prefix = bare ? '' : `${name.replace(/\/$/, '')}/`;
		const left = new Set<string>();
		const found: { path: string; name: string; stat: WireStat }[] = [];
		for (const entry of sync.walk(path, { skipDirectories })) {
			const below = entry.path.slice(root.length + 1);
			const [, parent = '', own = below] = /^(.*)\/([^/]*)$/s.exec(below) ?? [];
			const { kind } = entry.stat;
			const isLeft = left.has(parent) || (kind === 'directory' && skipped.some((one) => one.test(own)));
			if (isLeft && kind === 'directory') left.add(below);
			if (isLeft || kind === 'directory' || !wanted(own)) continue;
			if (kind === 'file' || (options.has('R') && !isSpecialKind(kind))) found.push({ ...entry, name: prefix + below });
		}
		for (const [{ path, name, stat }, content] of withContents(sync, found, LIMITS)) {
			// Links are followed.
			yield { name, stat: stat.kind === 'symlink' ? sync.statOrNull(path) : stat, content };
		}
	}
}

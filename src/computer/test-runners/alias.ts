import { z } from 'zod';

/** Alias of a project: a name and its replacement. */
export const aliasShape = z.object({
	/** A name that matches alone or at the beginning of a path; or a pattern. */
	find: z.union([z.string(), z.object({ source: z.string(), flags: z.string() })]),
	replacement: z.string()
});

export type Alias = z.infer<typeof aliasShape>;

/** Parses `resolve.alias` of Vite's configuration, with patterns as `$regexp` in JSON; others are ignored. */
export function viteAliases(given: unknown): Alias[] {
	const entries: unknown[] = Array.isArray(given)
		? given
		: Object.entries(Object(given)).map(([find, replacement]: [string, unknown]) => ({ find, replacement }));
	return entries.flatMap((entry): Alias[] => {
		const find: unknown = Reflect.get(Object(entry), 'find');
		const replacement: unknown = Reflect.get(Object(entry), 'replacement');
		if (typeof replacement !== 'string') return [];
		const pattern = z.object({ $regexp: z.tuple([z.string(), z.string()]) }).safeParse(find);
		if (pattern.success) {
			const [source, flags] = pattern.data.$regexp;
			return [{ find: { source, flags }, replacement }];
		}
		if (typeof find !== 'string') return [];
		const isDirectory = find.endsWith('/') && replacement.endsWith('/');
		return [isDirectory ? { find: find.slice(0, -1), replacement: replacement.slice(0, -1) } : { find, replacement }];
	});
}

/** Parses jest's `moduleNameMapper`. */
export function jestAliases(mapper: Record<string, string | string[]>): Alias[] {
	return Object.entries(mapper).flatMap(([source, targets]) =>
		[targets].flat().map((target) => ({
			// A specifier that contains a match is replaced as a whole.
			find: { source: `^[^]*?(?:${source})[^]*$`, flags: '' },
			replacement: target.replace(/^<rootDir>/, '.')
		}))
	);
}

/** Candidates for a name, in order. Relative ones are relative to the project's directory, or packages. */
export function renamed(aliases: readonly Alias[], root: string, specifier: string): string[] {
	const used = aliases.map((alias) => [alias, put(alias, specifier)] as const).filter(([, name]) => name !== null);
	const first = used[0]?.[0];
	// Several targets of one pattern are tried one after the other; of several patterns the first one wins.
	const same = used.filter(([{ find }]) => JSON.stringify(find) === JSON.stringify(first?.find));
	return same.flatMap(([, name]) => {
		if (name === null) return [];
		if (/^\.{1,2}(\/|$)/.test(name)) return [`${root}/${name}`];
		// As for URLs of Vite's server, the project's directory is the root.
		return name.startsWith('/') && !name.startsWith(`${root}/`) ? [name, `${root}${name}`] : [name];
	});
}

function put({ find, replacement }: Alias, specifier: string): string | null {
	if (typeof find === 'string') {
		const isIt = specifier === find || specifier.startsWith(`${find}/`);
		return isIt ? replacement + specifier.slice(find.length) : null;
	}
	const pattern = new RegExp(find.source, find.flags);
	return pattern.test(specifier) ? specifier.replace(pattern, replacement) : null;
}

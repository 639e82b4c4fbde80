import type { LoaderFiles } from './files.ts';

/** Changes that a project's tool makes to modules: test mocks and aliases. */
export interface Replacements {
	/** Candidates for a renamed specifier, in order: `resolve.alias`, `moduleNameMapper`, `paths`. */
	rename?(files: LoaderFiles): (specifier: string, from: string) => string[];
	/** Set if plain JavaScript may contain JSX. */
	isMixed?: boolean;
	/** Additional properties of `import.meta`. */
	meta?: Record<string, unknown>;
	/**
	 * Moves code of a file that must run before its imports ahead of {@link HOISTED}, on the same lines. Other files
	 * are returned unchanged.
	 */
	hoist(code: string, file: string): string;
	/**
	 * Returns the replacement of a module for `import` or `require`. `undefined`: none. A promise while it is being
	 * created. Throws errors of creating it.
	 * @param target path of a file, with its query if it is not code, or `node:` and a name
	 */
	find(target: string, seenBy: 'import' | 'require'): { value: unknown } | Promise<{ value: unknown }> | undefined;
}

/** Operations of the loader for a test runner. */
export interface ModuleAccess {
	/** @throws MODULE_NOT_FOUND */
	resolve(specifier: string, from: string): string;
	/** Loads the module itself, ignoring replacements. */
	actual(target: string): Promise<unknown>;
	/** The same synchronously. @throws ERR_REQUIRE_ASYNC_MODULE */
	requireActual(target: string): unknown;
	isFile(path: string): boolean;
	/** Makes later imports evaluate modules again. */
	forget(): void;
	/** Runs `work` with an empty module cache, and restores the cache afterwards. */
	isolate(work: () => void): void;
}

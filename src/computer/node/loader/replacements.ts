import type { LoaderFiles } from './files.ts';

/** Changes that a project's tool makes to modules, as the loader queries them: test mocks and aliases. */
export interface Replacements {
	/** Candidates for a renamed specifier, in order: `resolve.alias`, `moduleNameMapper`, `paths`. */
	rename?(files: LoaderFiles): (specifier: string, from: string) => string[];
	/** Plain JavaScript may contain JSX. */
	isMixed?: boolean;
	/** Additional properties of `import.meta`. */
	meta?: Record<string, unknown>;
	/**
	 * The text of a file with what has to run before its imports moved ahead of {@link HOISTED}, on the same lines.
	 * What it needs nothing of comes back as it is.
	 */
	hoist(code: string, file: string): string;
	/**
	 * Replacement of a module as seen by `import` or `require`. `undefined`: none. A promise while it is being
	 * created. Throws what creating it throws.
	 * @param target path of a file, with its query if it is no code, or `node:` and a name
	 */
	find(target: string, seenBy: 'import' | 'require'): { value: unknown } | Promise<{ value: unknown }> | undefined;
}

/** Operations of the loader for a test runner. */
export interface ModuleAccess {
	/** @throws MODULE_NOT_FOUND */
	resolve(specifier: string, from: string): string;
	/** Loads the module itself, ignoring replacements. */
	actual(target: string): Promise<unknown>;
	/** The same at once. @throws ERR_REQUIRE_ASYNC_MODULE */
	requireActual(target: string): unknown;
	isFile(path: string): boolean;
	/** Modules loaded from now on are evaluated again. */
	forget(): void;
	/** Runs `work` with nothing loaded, and has afterwards what was loaded before. */
	isolate(work: () => void): void;
}

import type { LoaderFiles } from './files.ts';

/** What a project's tool does to modules, as the loader asks for it: its tests put others in their place. */
export interface Replacements {
	/** Where a name leads that is no module's own, in the order to try: `resolve.alias`, `moduleNameMapper`, `paths`. */
	rename?(files: LoaderFiles): (specifier: string, from: string) => string[];
	/** JSX may stand in plain JavaScript. */
	isMixed?: boolean;
	/** What `import.meta` has besides Node's own. */
	meta?: Record<string, unknown>;
	/**
	 * The text of a file with what has to run before its imports moved ahead of {@link HOISTED}, on the same lines.
	 * What it needs nothing of comes back as it is.
	 */
	hoist(code: string, file: string): string;
	/**
	 * What stands in place of a module, as `import` or `require` sees it. `undefined`: nothing does.
	 * A promise while it is being made. Throws what making it throws.
	 * @param target path of a file, with the query it was asked for with where it is no code, or `node:` and a name
	 */
	find(target: string, seenBy: 'import' | 'require'): { value: unknown } | Promise<{ value: unknown }> | undefined;
}

/** What a test runner can ask of the loader. */
export interface ModuleAccess {
	/** @throws MODULE_NOT_FOUND */
	resolve(specifier: string, from: string): string;
	/** The module itself, whatever stands in its place. */
	actual(target: string): Promise<unknown>;
	/** The same at once. @throws ERR_REQUIRE_ASYNC_MODULE */
	requireActual(target: string): unknown;
	isFile(path: string): boolean;
	/** What is loaded from now on runs anew. */
	forget(): void;
	/** Runs `work` with nothing loaded, and has afterwards what was loaded before. */
	isolate(work: () => void): void;
}

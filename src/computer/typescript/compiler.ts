import type ts from 'typescript';

export interface FileEntries {
	files: string[];
	directories: string[];
}

/** Exports of `typescript.js`, including parts that its types omit. */
export type Compiler = typeof ts & {
	setSys(system: ts.System): void;
	/** Runs all of `tsc`. Ends through `system.exit`. */
	executeCommandLine(system: ts.System, onProgram: (program: unknown) => void, args: readonly string[]): void;
	/** Files selected by `include` and `exclude`. */
	matchFiles(
		path: string,
		extensions: readonly string[] | undefined,
		excludes: readonly string[] | undefined,
		includes: readonly string[] | undefined,
		useCaseSensitiveFileNames: boolean,
		currentDirectory: string,
		depth: number | undefined,
		entries: (path: string) => FileEntries,
		realpath: (path: string) => string
	): string[];
};

/** Evaluates the compiler's script: it does not detect Node, so it creates no system of its own. */
export function evaluateCompiler(source: string): Compiler {
	const module: { exports: unknown } = { exports: {} };
	const run = new Function('module', 'exports', 'process', 'require', `${source}\n//# sourceURL=typescript.js`);
	run(module, module.exports, undefined, undefined);
	// The script's exports are described by its own types and need not be parsed.
	return module.exports as Compiler;
}

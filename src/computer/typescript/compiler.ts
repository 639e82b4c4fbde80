import type ts from 'typescript';

export interface FileEntries {
	files: string[];
	directories: string[];
}

/** Exports of `typescript.js`, including parts that its types omit. */
export type Compiler = typeof ts & {
	setSys(system: ts.System): void;
	/** All of `tsc`. Ends through `system.exit`. */
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

/** Runs the compiler's script: no Node is there for it to find, so it makes no system of its own. */
export function evaluateCompiler(source: string): Compiler {
	const module: { exports: unknown } = { exports: {} };
	const run = new Function('module', 'exports', 'process', 'require', `${source}\n//# sourceURL=typescript.js`);
	run(module, module.exports, undefined, undefined);
	// The script's own types describe it; there is nothing in it to parse.
	return module.exports as Compiler;
}

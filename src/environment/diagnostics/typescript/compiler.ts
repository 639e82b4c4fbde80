import type ts from 'typescript';

/** Exports of `typescript.js`, passed in because each environment finds its own. */
export type Compiler = typeof ts;

/** Locates files and the compiler's own libraries. */
export interface CompilerHost {
	compiler: Compiler;
	system: ts.System;
	/** Directory of the `lib.*.d.ts` files. */
	libraryDirectory: string;
	/** Directories above it are not searched for a `tsconfig.json`. */
	root: string;
}

const SCRIPT = /\.(?:[cm]?[jt]s|[jt]sx)$/;

export const isScript = (path: string): boolean => SCRIPT.test(path);

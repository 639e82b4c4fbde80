import type { ProgramEntry } from './protocol.ts';
import esbuildWasmUrl from 'esbuild-wasm/esbuild.wasm?url';
import pyodideUrl from 'pyodide/pyodide.asm.wasm?url';
import pythonLibraryUrl from 'virtual:python-library';
import pythonSnapshotUrl from 'virtual:python-snapshot';
import ripgrepUrl from 'virtual:ripgrep-module';
import typescriptUrl from 'virtual:typescript-compiler';
import typescriptLibrariesUrl from 'virtual:typescript-libraries';
import esbuildUrl from './esbuild/main.ts?program';
import kernelUrl from './kernel/main.ts?program';
import gitUrl from './git/main.ts?program';
import nodeUrl from './node/main.ts?program';
import npmUrl from './npm/main.ts?program';
import pythonUrl from './python/main.ts?program';
import { LIBRARY, SNAPSHOT } from './python/settings.ts';
import searchUrl from './search/main.ts?program';
import pdfUrl from './pdf/main.ts?program';
import shellUrl from './shell/main.ts?program';
import wasiUrl from './wasi/main.ts?program';
import runnersUrl from './test-runners/main.ts?program';
import tscUrl from './typescript/main.ts?program';

/** A program of the sandbox: what to load for it and which commands it answers. */
export interface ShippedProgram extends ProgramEntry {
	/** Address of its script, bundled by `?program`. */
	url: string;
}

/** All that one build of the sandbox consists of. Fetched by the page when first needed. */
export interface ShippedSandbox {
	kernelUrl: string;
	programs: ShippedProgram[];
	/** Files that programs ask for by name (`syscalls.asset`, `context.module`) → address. */
	assets: Record<string, string>;
}

/** One line a program; one line an asset. */
export const shipped: ShippedSandbox = {
	kernelUrl,
	programs: [
		{ name: 'shell', commands: ['bash', 'sh'], hot: true, reusable: true, url: shellUrl },
		{ name: 'node', commands: ['node'], hot: true, url: nodeUrl },
		{
			name: 'npm',
			commands: ['npm', 'npx', 'pnpm', 'pnpx', 'yarn', 'yarnpkg', 'bun', 'bunx', 'corepack'],
			hot: false,
			url: npmUrl
		},
		{ name: 'git', commands: ['git', 'git-baseline'], hot: 'at start', reusable: true, url: gitUrl },
		{ name: 'test-runners', commands: ['vitest', 'jest'], hot: false, url: runnersUrl },
		{ name: 'typescript', commands: ['tsc', 'typescript-diagnostics'], hot: false, url: tscUrl },
		{ name: 'esbuild', commands: ['esbuild'], hot: false, url: esbuildUrl },
		{
			name: 'python',
			commands: ['python3', 'python', 'python3.14', 'pip', 'pip3', 'pytest', 'sqlite3'],
			hot: 'after use',
			prepare: { modules: ['pyodide.asm.wasm'], files: [LIBRARY, SNAPSHOT] },
			url: pythonUrl
		},
		{ name: 'pdf', commands: ['pdftotext'], hot: false, url: pdfUrl },
		{ name: 'wasi', commands: ['wasi-run'], hot: false, url: wasiUrl },
		{ name: 'search', commands: ['rg'], hot: true, reusable: true, url: searchUrl }
	],
	assets: {
		'rg.wasm': ripgrepUrl,
		'esbuild.wasm': esbuildWasmUrl,
		'typescript.js': typescriptUrl,
		'typescript-libraries.json': typescriptLibrariesUrl,
		'pyodide.asm.wasm': pyodideUrl,
		[LIBRARY]: pythonLibraryUrl,
		[SNAPSHOT]: pythonSnapshotUrl
	}
};

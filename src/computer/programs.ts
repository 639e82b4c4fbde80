import type { ProgramEntry } from '#computer/abi/protocol.ts';
import { ZONE_ARCHIVE } from '#computer/abi/time-zones.ts';
import esbuildWasmUrl from 'esbuild-wasm/esbuild.wasm?url';
import sqliteUrl from '@sqlite.org/sqlite-wasm/sqlite3.wasm?url';
import pyodideUrl from 'pyodide/pyodide.asm.wasm?url';
import pythonLibraryUrl from 'virtual:python-library';
import pythonSnapshotUrl from 'virtual:python-snapshot';
import brotliModuleUrl from 'virtual:brotli-module';
import jqModuleUrl from 'virtual:jq-module';
import ripgrepUrl from 'virtual:ripgrep-module';
import typescriptUrl from 'virtual:typescript-compiler';
import typescriptLibrariesUrl from 'virtual:typescript-libraries';
import zoneinfoUrl from 'virtual:zoneinfo';
import esbuildUrl from '#computer/esbuild/main.ts?program';
import jqUrl from '#computer/jq/main.ts?program';
import kernelUrl from '#computer/kernel/main.ts?program';
import gitUrl from '#computer/git/main.ts?program';
import nodeUrl from '#computer/node/main.ts?program';
import npmUrl from '#computer/npm/main.ts?program';
import { PROGRAMS } from './program-table.ts';
import pythonUrl from '#computer/python/main.ts?program';
import { LIBRARY, SNAPSHOT } from '#computer/python/settings.ts';
import searchUrl from '#computer/search/main.ts?program';
import pdfUrl from '#computer/pdf/main.ts?program';
import shellUrl from '#computer/shell/main.ts?program';
import wasiUrl from '#computer/wasi/main.ts?program';
import runnersUrl from '#computer/test-runners/main.ts?program';
import tscUrl from '#computer/typescript/main.ts?program';

/** Program of the sandbox: what to load for it and which commands it provides. */
export interface ShippedProgram extends ProgramEntry {
	/** URL of its script, bundled by `?program`. */
	url: string;
}

/** Everything that a build of the sandbox consists of. Fetched by the page when first needed. */
export interface ShippedSandbox {
	kernelUrl: string;
	programs: ShippedProgram[];
	/** Files that programs request by name (`syscalls.asset`, `context.module`) → URL. */
	assets: Record<string, string>;
}

/** One line per program of {@link PROGRAMS}; one line per asset. */
export const shipped: ShippedSandbox = {
	kernelUrl,
	programs: [
		{ ...PROGRAMS.shell, url: shellUrl },
		{ ...PROGRAMS.node, url: nodeUrl },
		{ ...PROGRAMS.npm, url: npmUrl },
		{ ...PROGRAMS.git, url: gitUrl },
		{ ...PROGRAMS.testRunners, url: runnersUrl },
		{ ...PROGRAMS.typescript, url: tscUrl },
		{ ...PROGRAMS.esbuild, url: esbuildUrl },
		{ ...PROGRAMS.python, url: pythonUrl },
		{ ...PROGRAMS.pdf, url: pdfUrl },
		{ ...PROGRAMS.wasi, url: wasiUrl },
		{ ...PROGRAMS.search, url: searchUrl },
		{ ...PROGRAMS.jq, url: jqUrl }
	],
	assets: {
		'rg.wasm': ripgrepUrl,
		'jq.wasm': jqModuleUrl,
		'brotli.wasm': brotliModuleUrl,
		'sqlite3.wasm': sqliteUrl,
		'esbuild.wasm': esbuildWasmUrl,
		'typescript.js': typescriptUrl,
		'typescript-libraries.json': typescriptLibrariesUrl,
		'pyodide.asm.wasm': pyodideUrl,
		[LIBRARY]: pythonLibraryUrl,
		[SNAPSHOT]: pythonSnapshotUrl,
		[ZONE_ARCHIVE]: zoneinfoUrl
	}
};

import type { ProgramEntry } from '#computer/abi/protocol.ts';
import { UTILITIES } from '#computer/abi/utilities.ts';
import { LIBRARY, SNAPSHOT } from '#computer/python/settings.ts';

/** Commands of each program and how its workers live, without the URL of its script. One line per program. */
export const PROGRAMS = {
	shell: { name: 'shell', commands: ['bash', 'sh', ...UTILITIES], hot: true, reusable: true },
	node: { name: 'node', commands: ['node'], hot: true },
	npm: {
		name: 'npm',
		commands: ['npm', 'npx', 'pnpm', 'pnpx', 'yarn', 'yarnpkg', 'bun', 'bunx', 'corepack'],
		hot: false
	},
	git: {
		name: 'git',
		commands: ['git', 'git-baseline', 'git-upload-pack', 'git-receive-pack'],
		hot: 'at start',
		reusable: true
	},
	testRunners: { name: 'test-runners', commands: ['vitest', 'jest', 'playwright'], hot: false },
	typescript: { name: 'typescript', commands: ['tsc', 'typescript-diagnostics'], hot: false },
	esbuild: { name: 'esbuild', commands: ['esbuild'], hot: false },
	python: {
		name: 'python',
		commands: [
			...['python3', 'python', 'python3.14', 'pip', 'pip3', 'pytest', 'sqlite3'],
			...['bzip2', 'bunzip2', 'bzcat', 'xz', 'unxz', 'xzcat', 'lzma', 'unlzma', 'lzcat', 'zstd', 'unzstd', 'zstdcat']
		],
		hot: 'after use',
		prepare: { modules: ['pyodide.asm.wasm'], files: [LIBRARY, SNAPSHOT] }
	},
	pdf: { name: 'pdf', commands: ['pdftotext', 'pdftoppm', 'pdfinfo'], hot: false },
	wasi: { name: 'wasi', commands: ['wasi-run'], hot: false },
	search: { name: 'search', commands: ['rg'], hot: true, reusable: true },
	jq: { name: 'jq', commands: ['jq'], hot: 'after use', reusable: true }
} as const satisfies Record<string, ProgramEntry>;

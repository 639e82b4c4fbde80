import type { LoaderFiles } from '#computer/node/loader/files.ts';
import { tsconfigPaths } from '#computer/node/loader/tsconfig-paths.ts';
import { parseEnv } from '#computer/node/modules/util/parse-env.ts';
import { absolute } from '#computer/abi/paths.ts';
import { renamed } from './alias.ts';
import type { Job } from './job.ts';

/** Resolves the project's own aliases. */
export function projectNames(job: Job, files: LoaderFiles): (specifier: string, from: string) => string[] {
	if (job.kind === 'config') return () => [];
	const { aliases, directories, tsconfigPaths: isAsTypeScript } = job.settings;
	const asTypeScript = isAsTypeScript ? tsconfigPaths(files, null) : () => [];
	return (specifier, from) => {
		const isBare = /^[^./#]/.test(specifier) && !from.includes('/node_modules/');
		return [
			...renamed(aliases, job.root, specifier),
			...asTypeScript(specifier, from),
			...(isBare ? directories.map((directory) => absolute(`${directory}/${specifier}`, job.root)) : [])
		];
	};
}

/** `import.meta.env`: includes variables for the page from the project's `.env` files. */
export function viteEnvironment(
	env: Record<string, string>,
	read: (path: string) => string | null,
	root: string
): object {
	const fromFiles: Record<string, string> = {};
	for (const name of ['.env.test.local', '.env.test', '.env.local', '.env']) {
		for (const [key, value] of Object.entries(parseEnv(read(`${root}/${name}`) ?? ''))) fromFiles[key] ??= value;
	}
	const shown = Object.entries({ ...fromFiles, ...env }).filter(([name]) => name.startsWith('VITE_'));
	return { BASE_URL: '/', MODE: 'test', DEV: true, PROD: false, SSR: false, ...Object.fromEntries(shown) };
}

/** `define`: an expression as text, or a value. */
export function defineNames(define: Record<string, unknown>): void {
	for (const [name, value] of Object.entries(define)) {
		if (!/^[A-Za-z_$][\w$]*$/.test(name)) continue;
		Object.defineProperty(globalThis, name, { value: defined(value), writable: true, configurable: true });
	}
}

function defined(value: unknown): unknown {
	try {
		return typeof value === 'string' ? (JSON.parse(value) as unknown) : value;
	} catch {
		// Name in another module, which is unknown before the program runs.
		return undefined;
	}
}

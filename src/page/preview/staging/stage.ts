import type { ExecutionEnvironment } from '#environment/contract.ts';
import { BundleFailed, OUTPUT } from '../bundle.ts';
import { SOURCE_COMPILER } from './source-compiler.ts';

const TIMEOUT_MS = 120_000;
const STAGED = `${OUTPUT}/tree`;
const SCRIPT = `${OUTPUT}/compile.cjs`;

/** Compilers by package name in a project's package.json; each is the project's own. */
const COMPILERS: Readonly<Record<string, string>> = {
	svelte: 'svelte',
	vue: 'vue',
	sass: 'sass',
	'sass-embedded': 'sass',
	'node-sass': 'sass',
	tailwindcss: 'tailwindcss'
};

/**
 * Compiles a project's Svelte and Vue components, Sass and Tailwind style sheets with the packages it has installed.
 * Rejects with {@link BundleFailed} if a compiler is not installed or a source is invalid.
 * @returns folder to bundle from: the project itself if there is nothing to compile
 */
export async function stageSources(environment: ExecutionEnvironment, packages: ReadonlySet<string>): Promise<string> {
	const root = environment.workingDirectory();
	const needed = new Set([...packages].flatMap((name) => COMPILERS[name] ?? []));
	if (needed.size === 0) return root;
	const missing: string[] = [];
	for (const name of needed)
		if (!(await environment.fileExists(`node_modules/${name}/package.json`))) missing.push(name);
	if (missing.length > 0) throw new BundleFailed('', missing);
	await environment.writeFile(SCRIPT, SOURCE_COMPILER);
	const { exitCode, stderr } = await environment.exec(`node ${SCRIPT} ${root} ${STAGED}`, { timeoutMs: TIMEOUT_MS });
	if (exitCode !== 0) throw new BundleFailed(stderr.trim() || 'The sources could not be compiled.', []);
	return STAGED;
}

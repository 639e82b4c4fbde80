import type { ExecutionEnvironment } from '../../environment/contract.ts';
import { BundleFailed, OUTPUT } from './bundle.ts';
import { COMPONENT_COMPILER } from './component-compiler.ts';

const TIMEOUT_MS = 120_000;
const STAGED = `${OUTPUT}/tree`;
const SCRIPT = `${OUTPUT}/compile.cjs`;

/**
 * Compiles a project's Svelte and Vue components with the compilers it has installed.
 * @returns the folder to bundle from: the project itself where there is nothing to compile
 * Rejects with {@link BundleFailed}: the compiler is not installed, or a component is wrong.
 */
export async function stageComponents(
	environment: ExecutionEnvironment,
	packages: ReadonlySet<string>
): Promise<string> {
	const root = environment.workingDirectory();
	if (!packages.has('svelte') && !packages.has('vue')) return root;
	const missing: string[] = [];
	for (const name of ['svelte', 'vue'])
		if (packages.has(name) && !(await environment.fileExists(`node_modules/${name}/package.json`))) missing.push(name);
	if (missing.length > 0) throw new BundleFailed('', missing);
	await environment.writeFile(SCRIPT, COMPONENT_COMPILER);
	const { exitCode, stderr } = await environment.exec(`node ${SCRIPT} ${root} ${STAGED}`, { timeoutMs: TIMEOUT_MS });
	if (exitCode !== 0) throw new BundleFailed(stderr.trim() || 'The components could not be compiled.', []);
	return STAGED;
}

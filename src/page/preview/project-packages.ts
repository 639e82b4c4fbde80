import * as z from 'zod/mini';
import type { ExecutionEnvironment } from '#environment/contract.ts';

const Packages = z.optional(z.record(z.string(), z.string()));
const Manifest = z.object({ dependencies: Packages, devDependencies: Packages });

/** Packages named in the project's `package.json`; empty if it is missing or invalid. */
export async function projectPackages(environment: ExecutionEnvironment): Promise<ReadonlySet<string>> {
	if (!(await environment.fileExists('package.json'))) return new Set();
	let json: unknown;
	try {
		json = JSON.parse(await environment.readFile('package.json'));
	} catch {
		// Incomplete while it is being edited: the next change tries again.
		return new Set();
	}
	const manifest = z.safeParse(Manifest, json);
	if (!manifest.success) return new Set();
	return new Set([
		...Object.keys(manifest.data.dependencies ?? {}),
		...Object.keys(manifest.data.devDependencies ?? {})
	]);
}

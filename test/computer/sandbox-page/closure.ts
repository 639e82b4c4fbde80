import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';

const manifest = z.object({ dependencies: z.optional(z.record(z.string(), z.string())) });

/** Packages in `modules` that `names` need, including `names`. */
export function packagesOf(modules: string, names: string[]): string[] {
	const found = new Set<string>();
	const visit = (name: string): void => {
		const file = path.join(modules, name, 'package.json');
		if (found.has(name) || !existsSync(file)) return;
		found.add(name);
		const { dependencies = {} } = manifest.parse(JSON.parse(readFileSync(file, 'utf8')));
		for (const dependency of Object.keys(dependencies)) visit(dependency);
	};
	for (const name of names) visit(name);
	return [...found].sort();
}

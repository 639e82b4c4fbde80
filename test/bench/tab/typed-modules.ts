/** A TypeScript project: modules that import some of the previous ones, with types that depend on each other. */
export function typedModules(count: number, folder = 'src'): Record<string, string> {
	const files: Record<string, string> = {
		'tsconfig.json': JSON.stringify({
			compilerOptions: { strict: true, target: 'es2022', module: 'esnext', moduleResolution: 'bundler' },
			include: [folder]
		})
	};
	for (let index = 0; index < count; index++) {
		const imported = [index - 1, index - 7, Math.floor(index / 2)].filter((each) => each >= 0 && each < index);
		files[`${folder}/part-${index % 10}/module-${index}.ts`] = [
			...[...new Set(imported)].map(
				(each) => `import { Entry${each}, make${each} } from '../part-${each % 10}/module-${each}';`
			),
			`export interface Entry${index} { id: number; name: string; tags: string[]; ${[...new Set(imported)].map((each) => `part${each}: Entry${each};`).join(' ')} }`,
			`export function make${index}(id: number, name = 'entry ${index}'): Entry${index} {`,
			`  return { id, name, tags: [name], ${[...new Set(imported)].map((each) => `part${each}: make${each}(id)`).join(', ')} };`,
			'}',
			...Array.from({ length: 4 }, (_, method) =>
				[
					`export function sum${index}x${method}(entries: readonly Entry${index}[]): Map<string, number> {`,
					'  const sums = new Map<string, number>();',
					'  for (const { name, id, tags } of entries.filter((entry) => entry.id > 0)) {',
					'    const key = [name, ...tags].map((word) => word.toLowerCase()).join(" ");',
					`    sums.set(key, (sums.get(key) ?? 0) + id * ${method + 1});`,
					'  }',
					'  return sums;',
					'}'
				].join('\n')
			)
		].join('\n');
	}
	return files;
}

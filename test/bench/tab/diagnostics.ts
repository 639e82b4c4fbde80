import type { Page } from 'playwright';
import { missing, percentile, row, type Row } from '../row.ts';
import { inTime, openTabWorld, type Product } from './world.ts';

const FILES = 200;
const EDITS = 40;
const LIMIT_MS = 200;
/** Between two edits, as a model leaves. */
const PAUSE_MS = 150;

/** What it takes to say what an edit of a TypeScript project broke, from the finished write to the answer. */
export async function diagnosticsRows(product: Product): Promise<Row[]> {
	const name = `new problems after an edit, ${FILES} files of TypeScript`;
	const world = await openTabWorld(product);
	try {
		const page = await world.open();
		await inTime(page.evaluate((files) => window.sandglass!.importRepository({ files }), projectFiles()));
		const { coldMs, times } = await inTime(measure(page));
		const against = { name: 'limit', value: LIMIT_MS };
		const note = `${times.length} edits; the first answer took ${(coldMs / 1000).toFixed(1)} s`;
		return [0.5, 0.95].map((share) =>
			row({ name: `${name}, p${share * 100}`, unit: 'ms', ours: percentile(times, share), against, bound: 1, note })
		);
	} catch (error) {
		return [missing(name, 'ms', error)];
	} finally {
		await world.close();
	}
}

function measure(page: Page): Promise<{ coldMs: number; times: number[] }> {
	return page.evaluate(
		async ({ edits, files, pauseMs }) => {
			const environment = window.sandglass!.environment!;
			const { diagnostics } = environment;
			if (!diagnostics) throw new Error('this environment has no diagnostics');
			const edit = async (index: number, text: (before: string) => string, withinMs: number) => {
				const path = `/workspace/src/part-${index % 10}/module-${index}.ts`;
				const before = await environment.readBytes(path);
				const after = new TextEncoder().encode(text(new TextDecoder().decode(before)));
				await environment.writeFile(path, after);
				const start = performance.now();
				const { problems } = await diagnostics.newProblems([{ path, before, after }], { withinMs });
				return { problems, ms: performance.now() - start };
			};
			// Half in a function, half where those who import it see it.
			const broken = (index: number) =>
				index % 2 ? '\nexport const broken: number = "no number";\n' : '\n{ const broken: number = "no number"; }\n';
			const cold = await edit(0, (text) => text + broken(0), 60_000);
			if (cold.problems.length === 0) throw new Error('the first edit was found to be right');
			const times: number[] = [];
			for (let run = -5; run < edits; run++) {
				await new Promise((resolve) => setTimeout(resolve, pauseMs));
				const index = (Math.abs(run) * 37 + 1) % files;
				const { problems, ms } = await edit(
					index,
					(text) => (text.includes(broken(index)) ? text.replace(broken(index), '') : text + broken(index)),
					5_000
				);
				if (run >= 0) times.push(ms);
				const found = await environment.readFile(`/workspace/src/part-${index % 10}/module-${index}.ts`);
				if (found.includes(broken(index)) !== problems.length > 0)
					throw new Error(`edit ${run} of module ${index} was told as ${JSON.stringify(problems)}`);
			}
			return { coldMs: cold.ms, times };
		},
		{ edits: EDITS, files: FILES, pauseMs: PAUSE_MS }
	);
}

/** Modules that import some before them, with types that go from one to the next. */
function projectFiles(): Record<string, string> {
	const files: Record<string, string> = {
		'tsconfig.json': JSON.stringify({
			compilerOptions: { strict: true, target: 'es2022', module: 'esnext', moduleResolution: 'bundler' },
			include: ['src']
		})
	};
	for (let index = 0; index < FILES; index++) {
		const imported = [index - 1, index - 7, Math.floor(index / 2)].filter((each) => each >= 0 && each < index);
		files[`src/part-${index % 10}/module-${index}.ts`] = [
			...[...new Set(imported)].map(
				(each) => `import { Entry${each}, make${each} } from '../part-${each % 10}/module-${each}';`
			),
			`export interface Entry${index} { id: number; name: string; tags: string[]; ${[...new Set(imported)].map((each) => `part${each}: Entry${each};`).join(' ')} }`,
			`export function make${index}(id: number, name = 'entry ${index}'): Entry${index} {`,
			`  return { id, name, tags: [name], ${[...new Set(imported)].map((each) => `part${each}: make${each}(id)`).join(', ')} };`,
			'}',
			...Array.from({ length: 8 }, (_, method) =>
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

import type { Page } from 'playwright';
import { missing, percentile, row, type Row } from '../row.ts';
import { typedModules } from './typed-modules.ts';
import { inTime, openTabWorld, type Product } from './world.ts';

const FILES = 200;
const EDITS = 40;
const WARM_FROM = 16;
const LIMIT_MS = 200;
/** Pause between two edits, as with a model. */
const PAUSE_MS = 150;

/** Measures diagnostics after an edit of a TypeScript project, from the finished write to the answer. */
export async function diagnosticsRows(product: Product): Promise<Row[]> {
	const name = `new problems after an edit, ${FILES} files of TypeScript`;
	const world = await openTabWorld(product);
	try {
		const page = await world.open();
		await inTime(page.evaluate((files) => window.sandglass!.importRepository({ files }), typedModules(FILES)));
		const [coldMs = 0] = await inTime(editTimes(page, 0, 1, 80_000));
		// Until the language service has loaded the whole project.
		await inTime(editTimes(page, 1, WARM_FROM, 5_000));
		const times = await inTime(editTimes(page, WARM_FROM, WARM_FROM + EDITS, 1_000));
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

/** Breaks one module after the other: half of them internally, half visibly to their importers. */
function editTimes(page: Page, first: number, end: number, withinMs: number): Promise<number[]> {
	return page.evaluate(
		async ({ first, end, files, pauseMs, withinMs }) => {
			const environment = window.sandglass!.environment!;
			const { diagnostics } = environment;
			if (!diagnostics) throw new Error('this environment has no diagnostics');
			const times: number[] = [];
			for (let run = first; run < end; run++) {
				await new Promise((resolve) => setTimeout(resolve, pauseMs));
				const index = (run * 37) % files;
				const path = `/workspace/src/part-${index % 10}/module-${index}.ts`;
				const before = await environment.readBytes(path);
				const broken = run % 2 ? 'export const broken: number = "";' : '{ const broken: number = ""; }';
				const after = new TextEncoder().encode(`${new TextDecoder().decode(before)}\n${broken}\n`);
				await environment.writeFile(path, after);
				const start = performance.now();
				const { problems } = await diagnostics.newProblems([{ path, before, after }], { withinMs });
				times.push(performance.now() - start);
				// An answer later than allowed does not count as one, and counts with its time.
				if (problems.length !== 1 && performance.now() - start < withinMs)
					throw new Error(`edit ${run} was told as ${JSON.stringify(problems)}`);
			}
			return times;
		},
		{ first, end, files: FILES, pauseMs: PAUSE_MS, withinMs }
	);
}

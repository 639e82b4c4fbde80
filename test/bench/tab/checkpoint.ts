import { missing, percentile, row, type Row } from '../row.ts';
import { inTime, openTabWorld, type Product } from './world.ts';

const FILES = 10_000;
const DIRTY = 20;
const LIMIT_MS = 5;

/** Measures saving the state of a large workspace after a step of work. */
export async function checkpointRows(product: Product): Promise<Row[]> {
	const name = `checkpoint of ${FILES.toLocaleString('en')} files with ${DIRTY} dirty, p50`;
	const world = await openTabWorld(product);
	try {
		const page = await world.open();
		await inTime(
			page.evaluate(() => window.sandglass!.importRepository({ files: { 'README.md': 'For the benchmark.\n' } }))
		);
		const times = await inTime(
			page.evaluate(
				async ({ files, dirty }) => {
					const environment = window.sandglass!.environment!;
					const encoder = new TextEncoder();
					const path = (index: number) => `src/${index % 100}/${index}.ts`;
					await environment.load(
						(async function* () {
							for (let index = 0; index < files; index++)
								yield { path: path(index), mode: 0o644, bytes: encoder.encode(`export const value = ${index};\n`) };
						})()
					);
					await environment.snapshot();
					const times: number[] = [];
					for (let run = -3; run < 20; run++) {
						for (let index = 0; index < dirty; index++)
							await environment.writeFile(path(index * 97), `export const run = ${run} + ${index};\n`);
						const start = performance.now();
						const { entries } = await environment.snapshot();
						const time = performance.now() - start;
						if (entries.size < files) throw new Error(`the snapshot has ${entries.size} entries`);
						if (run >= 0) times.push(time);
					}
					return times;
				},
				{ files: FILES, dirty: DIRTY }
			)
		);
		const against = { name: 'limit', value: LIMIT_MS };
		return [row({ name, unit: 'ms', ours: percentile(times, 0.5), against, bound: 1, note: `${times.length} times` })];
	} catch (error) {
		return [missing(name, 'ms', error)];
	} finally {
		await world.close();
	}
}

import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { loopRows } from './loop/rows.ts';
import { withMeasured } from './document.ts';
import { machine } from './machine.ts';
import { machineRows } from './machines/rows.ts';
import { missing, type Row } from './row.ts';
import { serverRows } from './server/rows.ts';
import { checkpointRows } from './tab/checkpoint.ts';
import { diagnosticsRows } from './tab/diagnostics.ts';
import { demoRows, firstLoadRows } from './tab/first-load.ts';
import { loopRows as shellLoopRows } from './tab/loops.ts';
import { packageRows } from './tab/packages.ts';
import { pictureRows } from './tab/pictures.ts';
import { previewRows } from './tab/preview.ts';
import { projectRows } from './tab/projects/rows.ts';
import { repositoryRows, searchRows } from './tab/repository.ts';
import { responsiveRows } from './tab/responsive.ts';
import { startRows } from './tab/starts.ts';
import { timelineRows } from './tab/timeline.ts';
import { trialRows } from './tab/trials.ts';
import type { Product } from './tab/world.ts';
import { editRows } from './tools/edit.ts';
import { localCommandRows } from './tools/local-commands.ts';
import { table } from './table.ts';

export interface BenchOptions {
	/** Directory with the bundles. */
	built: string;
	/** `test/bench`. */
	here: string;
	/** The directory with the peers' packages, or why there is none. */
	peers: string | Error;
	/** The built product and a browser, or why there is none. */
	product: Product | Error;
	/** Names of groups; empty: all. */
	only: string[];
}

/** Runs the groups one after the other: each has the machine to itself. */
export async function main({ built, here, peers, product, only }: BenchOptions): Promise<void> {
	const withProduct = async (measure: (ready: Product) => Promise<Row[]>): Promise<Row[]> => {
		if (product instanceof Error) throw product;
		return measure(product);
	};
	const groups: Record<string, () => Promise<Row[]>> = {
		loop: () => loopRows(built, peers),
		server: () => withProduct((ready) => serverRows(built, path.join(ready.root, 'dist/server/main.js'), peers)),
		edit: () => editRows(),
		local: () => localCommandRows(),
		machines: () => machineRows(built),
		starts: () => withProduct(startRows),
		shell: () => withProduct(shellLoopRows),
		checkpoint: () => withProduct(checkpointRows),
		diagnostics: () => withProduct(diagnosticsRows),
		repository: () => withProduct((ready) => repositoryRows(ready, path.join(built, 'clone'))),
		search: () => withProduct((ready) => searchRows(ready, path.join(built, 'clone'))),
		packages: () => withProduct(packageRows),
		projects: () => withProduct((ready) => projectRows(ready, path.join(ready.root, '.cache/bench-projects'))),
		responsive: () => withProduct(responsiveRows),
		preview: () => withProduct(previewRows),
		pictures: () => withProduct((ready) => pictureRows(ready, path.join(ready.root, '.cache/pages-of-others'))),
		timeline: () => withProduct(timelineRows),
		trials: () => withProduct(trialRows),
		page: () => withProduct(async (ready) => [...(await firstLoadRows(ready)), ...(await demoRows(ready))])
	};
	const rows: Row[] = [];
	for (const [name, run] of Object.entries(groups)) {
		if (only.length > 0 && !only.includes(name)) continue;
		console.log(`Measuring: ${name} …`);
		rows.push(...(await run().catch((error: unknown) => [missing(name, '', error)])));
	}
	const where = machine();
	console.log(`\n${table(rows)}\n\n${where}`);
	// Partial results must not be saved as complete ones.
	if (only.length > 0) return;
	const dated = { machine: where, date: new Date().toISOString() };
	const results = rows.map((row) => ({ ...row, ...dated }));
	await writeFile(path.join(here, 'results.json'), `${JSON.stringify(results, null, '\t')}\n`);
	const document = path.join(here, '../../docs/benchmarks.md');
	await writeFile(document, withMeasured(await readFile(document, 'utf8'), results));
}

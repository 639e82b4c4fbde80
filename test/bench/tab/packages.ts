import path from 'node:path';
import type { Page } from 'playwright';
import { FixtureRegistry } from '../../computer/npm/fixture-registry.ts';
import { missing, percentile, row, type Row } from '../row.ts';
import { allowRegistry, inTime, openTabWorld, type Product } from './world.ts';

const NAME = 'npm install express, loopback registry, p50';
const LIMIT_MS = 1000;
const TIMES = 5;

/** Measures installing packages in the tab with an empty cache, against the limit we set. */
export async function packageRows(product: Product): Promise<Row[]> {
	const registry = await new FixtureRegistry().start();
	registry.publishInstalled('express', path.resolve(product.root));
	const world = await openTabWorld(product, { NPM_REGISTRY: registry.url });
	try {
		const page = await world.open();
		await page.evaluate(() => window.sandglass!.importRepository({ files: { 'package.json': '{}' } }));
		await allowRegistry(page);
		const times: number[] = [];
		for (let index = 0; index < TIMES; index++) times.push(await inTime(installTime(page, index)));
		const note = `${TIMES} times, each into an empty project and with an empty cache`;
		const against = { name: 'limit', value: LIMIT_MS };
		return [row({ name: NAME, unit: 'ms', ours: percentile(times, 0.5), against, bound: 1, note })];
	} catch (error) {
		return [missing(NAME, 'ms', error)];
	} finally {
		await world.close();
		await registry.close();
	}
}

/** Time in ms, as seen by the caller of `exec`. */
function installTime(page: Page, index: number): Promise<number> {
	return page.evaluate(async (directory) => {
		// The last package is cached a moment later.
		await new Promise((resolve) => setTimeout(resolve, 2_000));
		await caches.delete('npm-packages');
		const environment = window.sandglass!.environment!;
		await environment.writeFile(`${directory}/package.json`, '{ "name": "site" }');
		const start = performance.now();
		const { exitCode, stderr } = await environment.exec('npm install express', { cwd: `/workspace/${directory}` });
		if (exitCode !== 0) throw new Error(stderr);
		return performance.now() - start;
	}, `site-${index}`);
}

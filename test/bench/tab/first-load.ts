import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright';
import { median, missing, row, type Row } from '../row.ts';
import { inTime, openTabWorld, type Product } from './world.ts';

const LIMITS_KB = { js: 90, css: 12 };

/** What is fetched before the front page is there: the page's own scripts, what they import at once, and styles. */
export async function firstLoadRows({ root }: Product): Promise<Row[]> {
	const pageDir = path.join(root, 'dist/page');
	const sizes = { js: 0, css: 0 };
	const seen = new Set<string>();
	const visit = async (file: string): Promise<void> => {
		if (seen.has(file)) return;
		seen.add(file);
		const bytes = await readFile(file);
		const isScript = file.endsWith('.js');
		sizes[isScript ? 'js' : 'css'] += gzipSync(bytes, { level: 9 }).length;
		if (!isScript) return;
		for (const [, name = ''] of bytes.toString().matchAll(/(?:import|from)\s*["'](\.[^"']+\.js)["']/g))
			await visit(path.resolve(path.dirname(file), name));
	};
	const html = await readFile(path.join(pageDir, 'index.html'), 'utf8');
	for (const [, name = ''] of html.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g))
		await visit(path.join(pageDir, name));
	return (['js', 'css'] as const).map((kind) =>
		row({
			name: `first load, ${kind === 'js' ? 'JavaScript' : 'CSS'}, gzip`,
			unit: 'KB',
			ours: sizes[kind] / 1_024,
			against: { name: 'limit', value: LIMITS_KB[kind] },
			bound: 1
		})
	);
}

const COLD_RUNS = 5;

/** From the click on *Watch the demo* to a running command: in fresh profiles, then again in the last one. */
export async function demoRows(product: Product): Promise<Row[]> {
	const world = await openTabWorld(product);
	const cold = 'from the click on Watch the demo to a running command, cold, p50';
	const warm = 'from the click on Watch the demo to a running command, warm, p50';
	const result = 'from the click on Watch the demo to the first tool result';
	try {
		const first: ClickTimes[] = [];
		const again: ClickTimes[] = [];
		for (let run = 0; run < COLD_RUNS; run++) {
			const page = await world.open();
			first.push(await clickTimes(page));
			await page.goto(world.url);
			await page.waitForFunction(() => window.sandglass !== undefined);
			again.push(await clickTimes(page));
			await page.context().close();
		}
		const commands = (times: ClickTimes[]) => median(times.map(({ command }) => command));
		const note = `${COLD_RUNS} profiles`;
		return [
			row({ name: cold, unit: 'ms', ours: commands(first), against: { name: 'limit', value: 1_000 }, bound: 1, note }),
			row({ name: warm, unit: 'ms', ours: commands(again), against: { name: 'limit', value: 300 }, bound: 1, note }),
			row({
				name: result,
				unit: 'ms',
				ours: median(first.map(({ tool }) => tool)),
				note: "with the script's own pauses"
			})
		];
	} catch (error) {
		return [missing(cold, 'ms', error)];
	} finally {
		await world.close();
	}
}

interface ClickTimes {
	command: number;
	tool: number;
}

async function clickTimes(page: Page): Promise<ClickTimes> {
	await page.evaluate(() => {
		addEventListener('click', () => performance.mark('click'), { capture: true, once: true });
	});
	await page.getByRole('button', { name: 'Watch the demo' }).click();
	await page.waitForFunction(() => window.sandglass?.environment);
	return inTime(
		page.evaluate(async () => {
			const { environment, session } = window.sandglass!;
			const click = performance.getEntriesByName('click')[0]?.startTime ?? Number.NaN;
			await environment!.exec('true');
			const command = performance.now() - click;
			for await (const event of session!.events)
				if (event.type === 'tool_call_end') return { command, tool: performance.now() - click };
			throw new Error('the demo ended without a tool call');
		})
	);
}

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright';
import { median, missing, row, type Row } from '../row.ts';
import { inTime, openTabWorld, type Product } from './world.ts';

const LIMITS_KB = { js: 90, css: 12 };

/**
 * Measures what is fetched before the front page is shown: the page's own scripts, their static imports, and styles.
 */
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
/** Time for which the front page is shown before a warm click: less than it takes to read it. */
const STANDING_MS = 3_000;

/**
 * From the click on *Watch the demo* to the shell's prompt and to a running command: in a fresh profile as soon as the
 * page is shown, in the same profile again, and then after the front page was shown for a moment.
 */
export async function demoRows(product: Product): Promise<Row[]> {
	const world = await openTabWorld(product);
	const title = (what: string, when: string) => `from the click on Watch the demo to ${what}, ${when}, p50`;
	const cold = title('a running command', 'cold');
	const result = 'from the click on Watch the demo to the first tool result';
	try {
		const first: ClickTimes[] = [];
		const again: ClickTimes[] = [];
		const warm: ClickTimes[] = [];
		for (let run = 0; run < COLD_RUNS; run++) {
			const page = await world.open();
			first.push(await clickTimes(page));
			await page.goto(world.url);
			await page.waitForFunction(() => window.sandglass !== undefined);
			again.push(await clickTimes(page));
			await page.goto(world.url);
			await page.waitForFunction(() => window.sandglass !== undefined);
			await page.waitForTimeout(STANDING_MS);
			warm.push(await clickTimes(page));
			await page.context().close();
		}
		const note = `${COLD_RUNS} profiles`;
		const timed = (what: string, when: string, times: number[], limitMs?: number): Row =>
			row({
				name: title(what, when),
				unit: 'ms',
				ours: median(times),
				...(limitMs === undefined ? {} : { against: { name: 'limit', value: limitMs }, bound: 1 }),
				note: limitMs === 300 ? `${note}, the front page stood for ${STANDING_MS / 1_000} s` : note
			});
		const prompts = (times: ClickTimes[]) => times.map(({ prompt }) => prompt);
		const commands = (times: ClickTimes[]) => times.map(({ command }) => command);
		return [
			timed("the shell's prompt", 'cold', prompts(first), 1_000),
			timed("the shell's prompt", 'again at once', prompts(again)),
			timed("the shell's prompt", 'warm', prompts(warm), 300),
			timed('a running command', 'cold', commands(first), 1_000),
			timed('a running command', 'again at once', commands(again)),
			timed('a running command', 'warm', commands(warm), 300),
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
	prompt: number;
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
			const since = () => performance.now() - click;
			const prompted = async (): Promise<number> => {
				while (!document.querySelector('.xterm-rows')?.textContent.includes('❯'))
					await new Promise((resolve) => setTimeout(resolve, 5));
				return since();
			};
			const [prompt, command] = await Promise.all([prompted(), environment!.exec('true').then(since)]);
			for await (const event of session!.events)
				if (event.type === 'tool_call_end') return { prompt, command, tool: since() };
			throw new Error('the demo ended without a tool call');
		})
	);
}

import type { Page } from 'playwright';
import type { ScenarioTurn } from '../../../src/llm/scenario/types.ts';
import { startModelServer, type ScenarioRule } from '../../model-server/server.ts';
import { missing, percentile, row, type Row } from '../row.ts';
import { openTabWorld, type Product } from './world.ts';

const FILES = 100;
const TURNS = 30;
const DELTAS = 5_000;
/** A frame at 60 per second; the browser's clock is off by up to a tenth of it. */
const FRAME_MS = 1_000 / 60;
const SCROLLED_FRAMES = 600;
const STEP_PX = 90;

const reads = (turn: number): ScenarioTurn => ({
	text: `Part ${turn} of **all** that is to be read:\n\n- one file after the other\n- and nothing else`,
	toolCalls: Array.from({ length: FILES }, (_, index) => ({
		name: 'read_file',
		arguments: { path: `f${(index + turn) % FILES}.txt` }
	})),
	pace: { chunkCharacters: 16, delayMs: 0 }
});

const SCRIPTS: Record<string, ScenarioTurn[]> = {
	'read-everything': [...Array.from({ length: TURNS }, (_, turn) => reads(turn)), { text: 'That was all of it.' }],
	'tell-at-length': [
		{
			text: 'word [a](b) and **more** of it.\n\n'.repeat(DELTAS / 5).slice(0, DELTAS * 6),
			pace: { chunkCharacters: 6, delayMs: 1 }
		}
	]
};

/** Measures the responsiveness of a long session: scrolling, a fast model, typing while it works. */
export async function timelineRows(product: Product): Promise<Row[]> {
	const scroll = 'frame while scrolling through 10,000 events';
	const models = await startModelServer(
		Object.entries(SCRIPTS)
			.map(([word, turns]): ScenarioRule => ({
				match: ({ body }) => JSON.stringify(body).includes(word),
				scenario: { name: word, turns }
			}))
			.reverse()
	);
	const world = await openTabWorld(product, { ANTHROPIC_API_KEY: 'sk-bench', ANTHROPIC_BASE_URL: models.url });
	try {
		const page = await world.open();
		const files = Object.fromEntries(
			Array.from({ length: FILES }, (_, index) => [`f${index}.txt`, `line of ${index}\n`.repeat(20)])
		);
		await page.evaluate((all) => window.sandglass!.importRepository({ files: all }), files);
		const events = await countedTask(page, 'read-everything');
		const still = await scrolled(page, 0);
		const cpu = await cpuClock(page);
		const frames = await scrolled(page, STEP_PX);
		const cpuPerFrame = (await cpu()) / SCROLLED_FRAMES;
		const stream = await streamed(page);
		const note = `${events} events; with nothing to draw p95 ${percentile(still, 0.95).toFixed(1)}, p99 ${percentile(still, 0.99).toFixed(1)} ms`;
		const limit = { name: 'limit', value: FRAME_MS };
		return [
			...([0.5, 0.95, 0.99] as const).map((share) =>
				row({
					name: `${scroll}, p${share * 100}`,
					unit: 'ms',
					ours: percentile(frames, share),
					against: limit,
					bound: 1.1,
					note
				})
			),
			row({
				name: `${scroll}, CPU of the page's thread, mean`,
				unit: 'ms',
				ours: cpuPerFrame,
				against: limit,
				bound: 1,
				note
			}),
			row({
				name: 'longest frame while a text streams',
				unit: 'ms',
				ours: Math.max(...stream.frames),
				against: { name: 'limit', value: 50 },
				bound: 1,
				note: `${Math.round(stream.deltasPerSecond)} deltas a second, below ${events} events; p99 ${Math.round(percentile(stream.frames, 0.99))} ms`
			}),
			row({
				name: 'from a key or a click to the next paint while a text streams, p98',
				unit: 'ms',
				ours: percentile(stream.interactions, 0.98),
				against: { name: 'limit', value: 100 },
				bound: 1,
				note: `${stream.interactions.length} interactions`
			}),
			row({
				name: 'layout shift while a text streams',
				unit: '',
				ours: largestWindow(stream.shifts),
				against: { name: 'limit', value: 0.05 },
				bound: 1,
				note: `${stream.shifts.length} shifts, those after a key or a click included`
			})
		];
	} catch (error) {
		return [missing(scroll, 'ms', error)];
	} finally {
		await world.close();
		await models.close();
	}
}

/** Gives the agent a task; returns how many events the session has afterwards. */
function countedTask(page: Page, task: string): Promise<number> {
	return page.evaluate(async (task) => {
		const result = await window.sandglass!.ask(task);
		if (result.stopReason !== 'end_turn') throw new Error(`the agent ended with ${result.stopReason}`);
		for await (const event of window.sandglass!.session!.events) if (event.type === 'agent_end') return event.seq;
		throw new Error('the session has no end');
	}, task);
}

/** Processor time of the page's own thread in ms since the start: other programs do not count. */
async function cpuClock(page: Page): Promise<() => Promise<number>> {
	const client = await page.context().newCDPSession(page);
	await client.send('Performance.enable', { timeDomain: 'threadTicks' });
	const read = async (): Promise<number> => {
		const { metrics } = await client.send('Performance.getMetrics');
		return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000;
	};
	const before = await read();
	return async () => (await read()) - before;
}

/** Times between frames while the list is scrolled up, then down, one window height in ten frames. */
function scrolled(page: Page, step: number): Promise<number[]> {
	return page.evaluate(
		async ({ frames, step }) => {
			const log = document.querySelector('[role=log]');
			if (!log) throw new Error('there is no timeline');
			const times: number[] = [];
			let before = await new Promise<number>(requestAnimationFrame);
			for (let frame = 0; frame < frames; frame++) {
				log.scrollTop += frame < frames / 2 ? -step : step;
				const now = await new Promise<number>(requestAnimationFrame);
				times.push(now - before);
				before = now;
			}
			return times;
		},
		{ frames: SCROLLED_FRAMES, step }
	);
}

interface Streamed {
	frames: number[];
	/** From each key press or click to the next paint. */
	interactions: number[];
	/** Time and value of each layout shift. */
	shifts: (readonly [ms: number, value: number])[];
	deltasPerSecond: number;
}

/** Sum of the shifts in the worst window of 5 s without a pause of 1 s: the cumulative layout shift of web vitals. */
function largestWindow(shifts: Streamed['shifts']): number {
	let [largest, sum, from, before] = [0, 0, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
	for (const [ms, value] of shifts) {
		if (ms - before > 1_000 || ms - from > 5_000) [sum, from] = [0, ms];
		sum += value;
		before = ms;
		largest = Math.max(largest, sum);
	}
	return largest;
}

/** Streams a long answer while the user types, switches tabs and comes back. */
async function streamed(page: Page): Promise<Streamed> {
	await page.evaluate(() => {
		const seen = {
			frames: [] as number[],
			interactions: [] as number[],
			shifts: [] as [number, number][],
			done: false,
			ms: 0
		};
		Reflect.set(globalThis, 'seen', seen);
		const observer = new PerformanceObserver((list) => {
			for (const entry of list.getEntries())
				if ('interactionId' in entry && entry.interactionId) seen.interactions.push(entry.duration);
		});
		observer.observe({ type: 'event', durationThreshold: 16, buffered: false } as PerformanceObserverInit);
		const shifts = new PerformanceObserver((list) => {
			for (const entry of list.getEntries())
				if ('value' in entry && typeof entry.value === 'number') seen.shifts.push([entry.startTime, entry.value]);
		});
		shifts.observe({ type: 'layout-shift', buffered: false });
		const begin = performance.now();
		void window.sandglass!.ask('tell-at-length').then(() => {
			seen.ms = performance.now() - begin;
			seen.done = true;
		});
		let before = performance.now();
		const look = (now: number): void => {
			seen.frames.push(now - before);
			before = now;
			if (!seen.done) requestAnimationFrame(look);
		};
		requestAnimationFrame(look);
	});
	const isDone = () => page.evaluate(() => (Reflect.get(globalThis, 'seen') as { done: boolean }).done);
	while (!(await isDone())) {
		for (const name of ['Changes', 'Files']) await page.getByRole('tab', { name }).click();
		await page.getByRole('textbox', { name: 'Message', exact: true }).pressSequentially('and then', { delay: 30 });
	}
	const seen = await page.evaluate(() => Reflect.get(globalThis, 'seen') as Streamed & { ms: number });
	return { ...seen, deltasPerSecond: (DELTAS / seen.ms) * 1_000 };
}

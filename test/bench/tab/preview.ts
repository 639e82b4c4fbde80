import type { Page } from 'playwright';
import { missing, percentile, row, type Row } from '../row.ts';
import { inTime, openTabWorld, type Product } from './world.ts';

const RUNS = 40;
const PICTURES = 10;
const ACT_LIMIT_MS = 150;
const PICTURE_LIMIT_MS = 1_000;
const PORT = 5_173;
const SIZE = { width: 1_440, height: 900 };

/** A list of tasks whose boxes change a sentence, served as by a development server. */
const SERVER = `require('http').createServer((request, response) => {
	response.setHeader('Content-Type', 'text/html');
	response.end(\`<!doctype html><title>Tasks</title><h1>Tasks</h1><ul id="list"></ul><p id="count"></p><script>
		list.innerHTML = Array.from({ length: 60 }, (_, index) => '<li><label><input type="checkbox"> Task ' + index + '</label></li>').join('');
		list.onchange = () => { count.textContent = list.querySelectorAll(':checked').length + ' done'; };
	</script>\`);
}).listen(${PORT});`;

/** A page with text, tables, gradients and shadows: more than two thousand elements. */
const RICH_PAGE = `<!doctype html><style>
	body { margin: 0; font: 14px/1.5 sans-serif; display: grid; grid-template-columns: repeat(3, 1fr); gap: 12px; padding: 24px }
	article { border-radius: 12px; padding: 16px; box-shadow: 0 2px 8px #0004; background: linear-gradient(#fff, #eef) }
	td { border: 1px solid #ccd; padding: 2px 6px } h2::before { content: "● "; color: #48f }
</style>${Array.from(
	{ length: 30 },
	(_, card) =>
		`<article><h2>Card ${card}</h2><p>Some <b>text</b> with <a href="#">a link</a> and more of it.</p><table>${Array.from(
			{ length: 12 },
			(_, line) => `<tr>${[0, 1, 2, 3].map((cell) => `<td>${card * line + cell}</td>`).join('')}</tr>`
		).join('')}</table><button>Do it</button></article>`
).join('')}`;

/** Measures the agent's preview: from a step to the page's tree after it, and taking a picture. */
export async function previewRows(product: Product): Promise<Row[]> {
	const names = { act: 'step in the preview until its snapshot, p95', picture: 'picture of a page of 1440×900, p95' };
	const world = await openTabWorld(product);
	try {
		const page = await world.open();
		const acts = await inTime(timesOfSteps(page));
		const pictures = await inTime(timesOfPictures(page));
		return [
			row({
				name: names.act,
				unit: 'ms',
				ours: percentile(acts, 0.95),
				against: { name: 'limit', value: ACT_LIMIT_MS },
				bound: 1,
				note: `p50 ${percentile(acts, 0.5).toFixed(0)} ms, of ${RUNS} clicks in an app that a server in the tab serves`
			}),
			row({
				name: names.picture,
				unit: 'ms',
				ours: percentile(pictures, 0.95),
				against: { name: 'limit', value: PICTURE_LIMIT_MS },
				bound: 1,
				note: `p50 ${percentile(pictures, 0.5).toFixed(0)} ms, of ${PICTURES}; 2,000 elements`
			})
		];
	} catch (error) {
		return Object.values(names).map((name) => missing(name, 'ms', error));
	} finally {
		await world.close();
	}
}

async function timesOfSteps(page: Page): Promise<number[]> {
	await page.evaluate((files) => window.sandglass!.importRepository({ files }), {
		'server.cjs': SERVER
	});
	await page.evaluate(() => void window.sandglass!.environment!.start('node server.cjs'));
	await page.waitForFunction(
		(port) => window.sandglass!.environment!.loopback!.ports.some((each) => each.port === port),
		PORT
	);
	return page.evaluate(
		async ({ port, runs }) => {
			const { signal } = new AbortController();
			const control = window.sandglass!.preview!;
			await control.open({ target: { port } }, signal);
			await control.snapshot(undefined, signal);
			const times: number[] = [];
			for (let run = -3; run < runs; run++) {
				const start = performance.now();
				const { done, failure } = await control.act([{ kind: 'click', on: 'role=checkbox >> nth=0' }], signal);
				if (done !== 1) throw new Error(failure);
				if (run >= 0) times.push(performance.now() - start);
			}
			return times;
		},
		{ port: PORT, runs: RUNS }
	);
}

async function timesOfPictures(page: Page): Promise<number[]> {
	await page.evaluate((html) => window.sandglass!.importRepository({ files: { 'index.html': html } }), RICH_PAGE);
	return page.evaluate(
		async ({ size, pictures }) => {
			const { signal } = new AbortController();
			const control = window.sandglass!.preview!;
			await control.open({ target: { path: 'index.html' }, size }, signal);
			const times: number[] = [];
			for (let run = -1; run < pictures; run++) {
				const start = performance.now();
				const { width, height } = await control.screenshot({}, signal);
				if (width !== size.width || height !== size.height) throw new Error(`${width}×${height}`);
				if (run >= 0) times.push(performance.now() - start);
			}
			return times;
		},
		{ size: SIZE, pictures: PICTURES }
	);
}

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Page } from 'playwright';
import { missing, row, type Row } from '../row.ts';
import { type ForeignPage, PAGES_OF_OTHERS, unpackPages } from './pages-of-others.ts';
import { inTime, openTabWorld, type Product } from './world.ts';

const SIZE = { width: 1_280, height: 800 };
const PORT = 5_174;
/** Visible difference of a color, of 255. */
const VISIBLE = 32;

/** Contents of the page's files in base64, by URL path. */
type Files = Record<string, string>;

interface Comparison {
	/** Mean difference of all pixels' colors, in percent of the whole range. */
	mean: number;
	/** Pixels that differ visibly, in percent. */
	visible: number;
}

const TYPES: Record<string, string> = {
	'.html': 'text/html',
	'.css': 'text/css',
	'.js': 'text/javascript',
	'.svg': 'image/svg+xml',
	'.png': 'image/png',
	'.gif': 'image/gif',
	'.jpg': 'image/jpeg',
	'.woff': 'font/woff',
	'.woff2': 'font/woff2'
};

/** The same server in the tab: it only serves a folder. */
const SERVER = `const types = ${JSON.stringify(TYPES)};
const { readFile } = require('node:fs');
const { extname, join } = require('node:path');
require('node:http').createServer((request, response) => {
	const { pathname } = new URL(request.url, 'http://localhost');
	readFile(join(__dirname, 'pages', decodeURIComponent(pathname)), (error, body) => {
		response.writeHead(error ? 404 : 200, { 'Content-Type': types[extname(pathname)] ?? 'application/octet-stream' });
		response.end(body);
	});
}).listen(${PORT});`;

/** Measures how much the preview's pictures differ from Chromium's own screenshots, over third-party pages. */
export async function pictureRows(product: Product, cache: string): Promise<Row[]> {
	const name = "picture of the preview beside Chromium's own, mean difference";
	const seen = 'the same, pixels that differ visibly';
	try {
		await unpackPages(cache);
	} catch (error) {
		return [missing(name, '%', error), missing(seen, '%', error)];
	}
	const world = await openTabWorld(product);
	try {
		const tab = await world.open();
		await startTabServer(tab);
		const found: (Comparison & { of: string })[] = [];
		for (const each of PAGES_OF_OTHERS) {
			const { files, picture } = await inTime(nativePicture(tab, each, cache));
			const ours = await inTime(tabPicture(tab, each, files));
			found.push({ of: each.package, ...(await compare(tab, picture, ours)) });
		}
		return rowsOf(found, { name, seen });
	} finally {
		await world.close();
	}
}

function rowsOf(found: (Comparison & { of: string })[], names: { name: string; seen: string }): Row[] {
	const average = (key: keyof Comparison): number => found.reduce((sum, each) => sum + each[key], 0) / found.length;
	const worst = (key: keyof Comparison): string => {
		const [most] = [...found].sort((a, b) => b[key] - a[key]);
		return most ? `worst ${most[key].toFixed(2)} % (${most.of})` : '';
	};
	const note = `${found.length} pages of Debian packages at ${SIZE.width}×${SIZE.height}`;
	return [
		row({ name: names.name, unit: '%', ours: average('mean'), note: `${note}; ${worst('mean')}` }),
		row({
			name: names.seen,
			unit: '%',
			ours: average('visible'),
			note: `by more than ${VISIBLE} of 255 in a colour; ${worst('visible')}`
		})
	];
}

async function startTabServer(tab: Page): Promise<void> {
	await tab.evaluate((server) => window.sandglass!.importRepository({ files: { 'server.cjs': server } }), SERVER);
	await tab.evaluate(() => void window.sandglass!.environment!.start('node server.cjs'));
	await tab.waitForFunction(
		(port) => window.sandglass!.environment!.loopback!.ports.some((each) => each.port === port),
		PORT
	);
}

/** Opens the page in a separate browser; returns its screenshot, and the files it fetched from its server. */
async function nativePicture(tab: Page, { package: name, page }: ForeignPage, cache: string) {
	const root = path.join(cache, name);
	const files: Files = {};
	const server = createServer((request, response) => {
		const pathname = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname);
		const type = TYPES[path.extname(pathname)] ?? 'application/octet-stream';
		readFile(path.join(root, pathname)).then(
			(body) => {
				files[pathname] = body.toString('base64');
				response.writeHead(200, { 'Content-Type': type }).end(body);
			},
			() => response.writeHead(404).end()
		);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const context = await tab.context().browser()!.newContext({ viewport: SIZE, reducedMotion: 'reduce' });
	try {
		const { port }: AddressInfo = server.address() as AddressInfo;
		const native = await context.newPage();
		// Neither has network access.
		await native.route(
			(url) => url.hostname !== '127.0.0.1',
			(route) => route.abort()
		);
		await native.goto(`http://127.0.0.1:${port}/${page}`);
		return { files, picture: (await native.screenshot()).toString('base64') };
	} finally {
		await context.close();
		server.close();
	}
}

/** Picture of the page from the agent's tool: served by a program in the tab, displayed in the preview. */
function tabPicture(tab: Page, { page }: ForeignPage, files: Files): Promise<string> {
	return tab.evaluate(
		async ({ files, page, port, size }) => {
			const { environment, preview } = window.sandglass!;
			for (const [name, content] of Object.entries(files)) {
				const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
				await environment!.writeFile(`pages${name}`, bytes);
			}
			const { signal } = new AbortController();
			await preview!.open({ target: { port }, url: `/${page}`, size }, signal);
			const { png } = await preview!.screenshot({}, signal);
			return btoa(Array.from(png, (byte) => String.fromCharCode(byte)).join(''));
		},
		{ files, page, port: PORT, size: SIZE }
	);
}

function compare(tab: Page, native: string, ours: string): Promise<Comparison> {
	return tab.evaluate(
		async ({ pictures, size, visible }) => {
			const colours = await Promise.all(
				pictures.map(async (picture) => {
					const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
					const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
					const canvas = new OffscreenCanvas(size.width, size.height).getContext('2d')!;
					canvas.drawImage(bitmap, 0, 0);
					return canvas.getImageData(0, 0, size.width, size.height).data;
				})
			);
			const [first, second] = colours;
			if (!first || !second) throw new Error('two pictures are compared');
			let sum = 0;
			let seen = 0;
			for (let at = 0; at < first.length; at += 4) {
				let most = 0;
				for (let colour = at; colour < at + 3; colour++) {
					const difference = Math.abs((first[colour] ?? 0) - (second[colour] ?? 0));
					sum += difference;
					most = Math.max(most, difference);
				}
				if (most > visible) seen++;
			}
			const pixels = size.width * size.height;
			return { mean: (sum / (pixels * 3 * 255)) * 100, visible: (seen / pixels) * 100 };
		},
		{ pictures: [native, ours], size: SIZE, visible: VISIBLE }
	);
}

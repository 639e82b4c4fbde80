import type { Page } from 'playwright';
import type { SessionEvent } from '../../../src/agent/events.ts';
import type { ShareBundle } from '../../../src/session/contract.ts';
import { toBase64, toBase64Url } from '../../../src/session/share/base64.ts';
import { packBundle } from '../../../src/session/share/bundle.ts';
import { encrypt } from '../../../src/session/share/encryption.ts';
import type { Repositories } from '../../e2e/repositories.ts';
import { median, missing, row, type Row } from '../row.ts';
import type { TabWorld } from './world.ts';

const RUNS = 3;
const CHANGED = 20;
const TURNS = 200;
/** Time for which a visitor looks at the replay before continuing. Milliseconds. */
const LOOK_MS = 5_000;
/** From the click on the link to a command's end. Milliseconds. */
const LIMIT_MS = 2_000;
/** From the click on *Fork* to a command's end in the fork. Milliseconds. */
const FORK_LIMIT_MS = 100;

/**
 * Measures a share over a commit of 5,000 files, 20 of which differ: opening it, and continuing it to its first
 * command.
 *
 * @param world its server fetches archives of `github.com` from `repositories`
 */
export async function sharedRows(
	world: TabWorld,
	repositories: Repositories,
	tree: Record<string, string>
): Promise<Row[]> {
	const names = {
		shown: 'a share of 5,000 files, 20 of them changed, to its replay',
		running: 'the same, continued at once, to its first command',
		looked: `the same, looked at for ${LOOK_MS / 1_000} s, from *Continue* to its first command`,
		usable: `a fork of it, ${TURNS} turns long, until it can be used`,
		forked: 'the same, to its first command'
	};
	try {
		const bundle = bundleOf(repositories.head('big'), tree);
		const { key, sealed } = await encrypt(await packBundle(bundle));
		const put = await fetch(new URL('/api/shares', world.url), { method: 'PUT', body: sealed.slice() });
		const { id } = (await put.json()) as { id: string };
		const address = `${world.url}/#s=${id}.${toBase64Url(key)}`;
		const times: Record<keyof typeof names, number[]> = { shown: [], running: [], looked: [], usable: [], forked: [] };
		for (let run = 0; run < RUNS; run++) {
			const { page, shownMs } = await openShare(world, address);
			times.shown.push(shownMs);
			times.running.push(shownMs + (await continueTime(page)));
			const fork = await forkTimes(page);
			times.usable.push(fork.usableMs);
			times.forked.push(fork.firstMs);
			await page.context().close();

			const looked = await openShare(world, address);
			await looked.page.waitForTimeout(LOOK_MS);
			times.looked.push(await continueTime(looked.page));
			await looked.page.context().close();
		}
		const rowOf = (what: keyof typeof names, value: number, note?: string): Row =>
			row({
				name: names[what],
				unit: 'ms',
				ours: median(times[what]),
				against: { name: 'our limit', value },
				bound: 1,
				...(note === undefined ? {} : { note })
			});
		return [
			rowOf('shown', LIMIT_MS, `${Math.round(sealed.length / 1000)} kB stored`),
			rowOf('running', LIMIT_MS, 'with its import'),
			rowOf('looked', LIMIT_MS),
			rowOf('usable', FORK_LIMIT_MS),
			rowOf('forked', FORK_LIMIT_MS, 'stored by then')
		];
	} catch (error) {
		return Object.values(names).map((name) => missing(name, 'ms', error));
	}
}

async function openShare(world: TabWorld, address: string): Promise<{ page: Page; shownMs: number }> {
	const page = await world.openOnDisk();
	await page.goto('about:blank');
	const start = performance.now();
	await page.goto(address);
	await page.getByRole('slider', { name: 'Replay' }).waitFor();
	return { page, shownMs: performance.now() - start };
}

/** From the click to a command's end. */
async function continueTime(page: Page): Promise<number> {
	const start = performance.now();
	await page.getByRole('button', { name: 'Continue in your tab' }).click();
	await page.waitForFunction(() => window.sandglass?.environment, undefined, { timeout: 90_000 });
	const changed = await page.evaluate(async () => {
		const { stdout } = await window.sandglass!.environment!.exec('grep -rl "^// shared$" packages | wc -l');
		return Number(stdout);
	});
	const ms = performance.now() - start;
	if (changed !== CHANGED) throw new Error(`${changed} files are as the share has them, not ${CHANGED}`);
	return ms;
}

/** From the click on *Fork*, measured in the page. */
function forkTimes(page: Page): Promise<{ usableMs: number; firstMs: number }> {
	return page.evaluate(async () => {
		const parted = window.sandglass!.session;
		const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent?.trim() === 'Fork');
		const start = performance.now();
		button!.click();
		const isThere = () =>
			window.sandglass!.session && window.sandglass!.session !== parted && document.querySelector('textarea');
		while (!isThere()) await new Promise((resolve) => setTimeout(resolve, 1));
		// The change has been painted.
		await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
		const usableMs = performance.now() - start;
		await window.sandglass!.environment!.exec('true');
		return { usableMs, firstMs: performance.now() - start };
	});
}

/** A conversation with this number of turns. */
function turns(count: number): SessionEvent[] {
	const header = { sessionId: 's', timestamp: 0 };
	return Array.from({ length: count }, (_, turn): SessionEvent[] => [
		{ ...header, seq: turn * 4 + 1, type: 'user_input', content: [{ type: 'text', text: `Question ${turn}` }] },
		{ ...header, seq: turn * 4 + 2, type: 'message_start', role: 'assistant' },
		{ ...header, seq: turn * 4 + 3, type: 'assistant_text_start' },
		{ ...header, seq: turn * 4 + 4, type: 'assistant_text_end', text: `Answer ${turn}` }
	]).flat();
}

function bundleOf(commit: string, tree: Record<string, string>): ShareBundle {
	const url = 'https://github.com/bench/big';
	const files: ShareBundle['files'] = {};
	const paths = Object.keys(tree).filter((path) => path.startsWith('packages/'));
	for (const path of paths.slice(0, CHANGED)) {
		const bytes = new TextEncoder().encode(`${tree[path]}// shared\n`);
		files[path] = { mode: 0o100644, base64: toBase64(bytes) };
	}
	const title = 'A share';
	const entries: ShareBundle['entries'] = [
		{ id: '0', parentId: null, timestamp: 0, type: 'session', version: 1, sessionId: 's', title },
		...turns(TURNS).map((event, index) => ({
			id: String(index + 1),
			parentId: String(index),
			timestamp: 0,
			type: 'event' as const,
			event
		}))
	];
	return {
		version: 1,
		origin: { kind: 'git', name: 'bench/big', url, commit },
		title,
		base: { url, commit },
		files,
		removed: [],
		before: {},
		entries,
		checkpoints: [],
		viewOnly: false
	};
}

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
/** From the click on the link to a command's end. Milliseconds. */
const LIMIT_MS = 2_000;
/** From the click on *Fork* to a command's end in the fork. Milliseconds. */
const FORK_LIMIT_MS = 100;

/**
 * A share over a commit of 5,000 files that 20 files of differ from: opened, and continued to its first command.
 *
 * @param world whose server fetches archives of `github.com` from `repositories`
 */
export async function sharedRows(
	world: TabWorld,
	repositories: Repositories,
	tree: Record<string, string>
): Promise<Row[]> {
	const names = [
		'a share of 5,000 files, 20 of them changed, to its replay',
		'the same, to its first command',
		`a fork of it, ${TURNS} turns long, to its first command`
	];
	try {
		const bundle = bundleOf(repositories.head('big'), tree);
		const { key, sealed } = await encrypt(await packBundle(bundle));
		const put = await fetch(new URL('/api/shares', world.url), { method: 'PUT', body: sealed.slice() });
		const { id } = (await put.json()) as { id: string };
		const times = { shown: [] as number[], running: [] as number[], forked: [] as number[] };
		for (let run = 0; run < RUNS; run++) {
			const page = await world.open();
			await page.goto('about:blank');
			const start = performance.now();
			await page.goto(`${world.url}/#s=${id}.${toBase64Url(key)}`);
			await page.getByRole('slider', { name: 'Replay' }).waitFor();
			times.shown.push(performance.now() - start);
			await page.getByRole('button', { name: 'Continue from here' }).click();
			await page.waitForFunction(() => window.sandglass?.environment, undefined, { timeout: 90_000 });
			const changed = await page.evaluate(async () => {
				const { stdout } = await window.sandglass!.environment!.exec('grep -rl "^// shared$" packages | wc -l');
				return Number(stdout);
			});
			times.running.push(performance.now() - start);
			if (changed !== CHANGED) throw new Error(`${changed} files are as the share has them, not ${CHANGED}`);
			times.forked.push(await forkTime(page));
			await page.context().close();
		}
		const against = { name: 'our limit', value: LIMIT_MS };
		const note = `${Math.round(sealed.length / 1000)} kB stored`;
		return [
			row({ name: names[0] ?? '', unit: 'ms', ours: median(times.shown), against, bound: 1, note }),
			row({
				name: names[1] ?? '',
				unit: 'ms',
				ours: median(times.running),
				against,
				bound: 1,
				note: 'with its import'
			}),
			row({
				name: names[2] ?? '',
				unit: 'ms',
				ours: median(times.forked),
				against: { name: 'our limit', value: FORK_LIMIT_MS },
				bound: 1
			})
		];
	} catch (error) {
		return names.map((name) => missing(name, 'ms', error));
	}
}

async function forkTime(page: Page): Promise<number> {
	const session = page.url();
	const start = performance.now();
	await page.getByRole('button', { name: 'Fork', exact: true }).click();
	await page.waitForURL((url) => url.href !== session, { timeout: 90_000 });
	await page.evaluate(() => window.sandglass!.environment!.exec('true'));
	return performance.now() - start;
}

/** A conversation of so many turns. */
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

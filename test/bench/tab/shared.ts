import type { ShareBundle } from '../../../src/session/contract.ts';
import { toBase64, toBase64Url } from '../../../src/session/share/base64.ts';
import { packBundle } from '../../../src/session/share/bundle.ts';
import { encrypt } from '../../../src/session/share/encryption.ts';
import type { Repositories } from '../../e2e/repositories.ts';
import { median, missing, row, type Row } from '../row.ts';
import type { TabWorld } from './world.ts';

const RUNS = 3;
const CHANGED = 20;
/** From the click on the link, and from the click on *Continue from here*. Milliseconds. */
const LIMIT_MS = 2_000;

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
	const names = ['a share of 5,000 files, 20 of them changed, to its replay', 'the same, to its first command'];
	try {
		const bundle = bundleOf(repositories.head('big'), tree);
		const { key, sealed } = await encrypt(await packBundle(bundle));
		const put = await fetch(new URL('/api/shares', world.url), { method: 'PUT', body: sealed.slice() });
		const { id } = (await put.json()) as { id: string };
		const times = { shown: [] as number[], running: [] as number[] };
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
			await page.context().close();
		}
		const against = { name: 'our limit', value: LIMIT_MS };
		const note = `${Math.round(sealed.length / 1000)} kB stored`;
		return [
			row({ name: names[0] ?? '', unit: 'ms', ours: median(times.shown), against, bound: 1, note }),
			row({ name: names[1] ?? '', unit: 'ms', ours: median(times.running), against, bound: 1, note: 'with its import' })
		];
	} catch (error) {
		return names.map((name) => missing(name, 'ms', error));
	}
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
	return {
		version: 1,
		origin: { kind: 'git', name: 'bench/big', url, commit },
		title,
		base: { url, commit },
		files,
		removed: [],
		before: {},
		entries: [{ id: 'root', parentId: null, timestamp: 0, type: 'session', version: 1, sessionId: 's', title }],
		checkpoints: [],
		viewOnly: false
	};
}

import { expect } from 'vitest';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { packBundle, unpackBundle } from '#session/share/bundle.ts';
import { CarriedFiles } from '#session/share/carried-files.ts';
import { collectShare } from '#session/share/collect.ts';
import { decrypt, encrypt } from '#session/share/encryption.ts';
import { restoreHistory } from '#session/share/history.ts';
import { verdictOf } from '#session/share/match.ts';
import { Redaction } from '#session/share/redaction.ts';
import { restoreBase } from '#session/share/restore.ts';
import { treeHash } from '#session/share/sha256.ts';
import { verifyReceipt } from '#session/share/verify.ts';
import { branchTo } from '#page/project/branch-to.ts';
import { importRepository } from '#workspace/import/import.ts';
import { SessionOnDisk } from './session-on-disk.ts';

export interface Replayed {
	/** Number of trees compared, all of them equal. */
	trees: number;
	/** Number of commands run again, all with the same outcome. */
	commands: number;
	bytes: number;
}

const FOLDERS = ['', 'src/', 'src/deep/', 'docs/'];

/**
 * Plays one session of edits, commands, forks and returns, shares it, opens the share elsewhere, and compares each tree
 * with the original.
 *
 * @param random number between 0 and 1
 * @param open opens an empty environment
 */
export async function replaySession(
	random: () => number,
	open: () => Promise<ExecutionEnvironment>,
	verify: boolean
): Promise<Replayed> {
	const below = (count: number): number => Math.floor(random() * count);
	const name = (): string => `${FOLDERS[below(FOLDERS.length)]}${'abcdef'[below(6)]}.txt`;
	const text = (): string => Array.from({ length: 1 + below(5) }, () => `line ${below(1000)}\n`).join('');
	const commands = [
		() => `mkdir -p src docs && echo ${below(100)} >> ${name().replace('deep/', '')}`,
		() => `rm -f ${name()}; ls`,
		() => `printf 'x%.0s' 1 2 3 > x-${below(4)}.bin && chmod +x x-*.bin`,
		() => `cat a.txt | sort > sorted.txt; wc -l < sorted.txt`,
		() => `rm -rf src; exit ${below(3)}`,
		() => `ln -sf a.txt link-${below(3)}`,
		() => `echo build > .out.log; echo '*.log' > .gitignore`,
		() => `mv a.txt b.txt 2>/dev/null || echo there is no a`
	];

	let session = await SessionOnDisk.begin(await open(), { 'a.txt': text(), [name()]: text(), 'readme.md': text() });
	const opened: SessionOnDisk[] = [session];
	const environments: ExecutionEnvironment[] = [];
	try {
		for (let step = 3 + below(7); step > 0; step--) {
			const what = random();
			if (what < 0.35 || what > 0.75) session.say('Go on.');
			if (what < 0.35) await session.environment.writeFile(name(), text());
			else if (what < 0.75) await session.run(`exec 2>&1; ${commands[below(commands.length)]?.() ?? ''}`);
			else if (what < 0.85) await session.checkpoint('turn');
			else if (what < 0.95) await session.goBack(below(100));
			else opened.push((session = await fork(session)));
		}

		const collected = await collectShare(session.workspace, session.collected(), {
			viewOnly: false,
			keepSecrets: [],
			history: true
		});
		const { key, sealed } = await encrypt(await packBundle(collected.bundle));
		const bundle = await unpackBundle(await decrypt(sealed, key));

		const there = await open();
		environments.push(there);
		await restoreBase(bundle, there, importRepository);
		const visitor = await SessionOnDisk.over(there, []);
		await restoreHistory(bundle, bundle.history ?? [], there, visitor.checkpoints);
		const [made, found] = [await hashes(session), await hashes(visitor)];
		expect(found).toEqual(made);
		expect(bundle.leaf ?? bundle.entries.at(-1)?.id ?? null).toBe(session.log.leafId());

		let count = 0;
		if (verify) {
			const again = await open();
			environments.push(again);
			for await (const result of verifyReceipt(bundle, again, importRepository)) {
				expect(result.problems).toEqual([]);
				if (verdictOf(result) !== 'none') count++;
			}
			expect(count).toBe(bundle.receipt?.length);
		}
		visitor.workspace.close();
		return { trees: made.length, commands: count, bytes: sealed.length };
	} finally {
		for (const one of opened) await one.end();
		for (const environment of environments) await environment.cleanup();
	}

	/** Forks: the files of a checkpoint over the import, with the conversation up to it. */
	async function fork(from: SessionOnDisk): Promise<SessionOnDisk> {
		const all = from.workspace.checkpoints;
		const checkpoint = all[below(all.length)];
		const { bundle } = await collectShare(from.workspace, from.collected(), { viewOnly: false, keepSecrets: [] });
		const environment = await open();
		await restoreBase(bundle, environment, importRepository);
		const entries = branchTo(from.log.entries(), checkpoint?.entryId ?? null);
		const next = await SessionOnDisk.over(environment, checkpoint?.entryId ? entries : []);
		const target = checkpoint ? await from.checkpoints.readTree(checkpoint.tree) : new Map<string, never>();
		for (const path of (await environment.snapshot()).entries.keys()) {
			if (!path.startsWith('.git/') && !target.has(path) && (await environment.fileExists(path)))
				await environment.remove(path, { recursive: true });
		}
		await environment.load(
			(async function* () {
				for (const [path, { mode, blob }] of target)
					if (blob !== '' && !path.startsWith('.git/'))
						yield { path, mode, bytes: await from.environment.readBlob(blob) };
			})()
		);
		return next;
	}
}

/** Hashes of all of a session's trees: at each checkpoint, and now. */
async function hashes(session: SessionOnDisk): Promise<string[]> {
	const trees = await session.trees();
	const [first = new Map()] = trees;
	const readBlob = (id: string) => session.environment.readBlob(id);
	const files = new CarriedFiles(first, false, readBlob, new Redaction(new Set()));
	return Promise.all(trees.map(async (tree) => treeHash(await files.of(tree))));
}

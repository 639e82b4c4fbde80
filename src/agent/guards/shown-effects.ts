import type { Effects, FileEffect, Trial } from '#environment/contract.ts';
import { decodeText, isBinary } from '../tools/file-kind.ts';
import { diffTexts } from './diff.ts';
import { isGitHistory } from './guarded-paths.ts';
import { redactSecrets } from './redaction.ts';
import type { PermissionEffects } from './permission-types.ts';

/** Maximum number of files listed in a question; the others are counted by directory. */
const MAX_FILES = 20;
/** Maximum size of a file listed with its diff. */
const MAX_DIFF_BYTES = 64 * 1024;
const MAX_GROUPS = 12;
const MAX_NAMES = 20;

/** Lists the effects of a trial as a question shows them, packages and git's history are only counted. */
export async function shownEffects(
	trial: Trial,
	open: Effects,
	nameOf: (path: string) => string
): Promise<PermissionEffects> {
	const own = open.files.filter(({ path }) => !isBulk(nameOf(path)));
	const listed = own.slice(0, MAX_FILES);
	const files = await Promise.all(listed.map((effect) => shownFile(trial, effect, nameOf(effect.path))));
	const { exitCode, timedOut } = trial.result;
	return {
		files,
		moreFiles: grouped(open.files.filter((effect) => !listed.includes(effect)).map(({ path }) => nameOf(path))),
		hosts: open.hosts.slice(0, MAX_NAMES),
		servers: open.servers,
		signals: open.signals.slice(0, MAX_NAMES).map(({ signal, pid, command }) => `${signal} → ${pid} ${command}`),
		leftRunning: open.leftRunning.slice(0, MAX_NAMES),
		unnamed: open.unnamed,
		result: { exitCode, timedOut }
	};
}

/** Returns true for files that tools write by the thousands. */
const isBulk = (name: string): boolean =>
	isGitHistory(name) || /(?:^|\/)(?:node_modules|\.venv|site-packages)\//.test(name);

async function shownFile(
	trial: Trial,
	{ path, kind }: FileEffect,
	name: string
): Promise<PermissionEffects['files'][number]> {
	const [before, after] = await Promise.all([trial.read(path, 'before'), trial.read(path, 'after')]);
	if ([before, after].some((bytes) => bytes && (bytes.length > MAX_DIFF_BYTES || isBinary(bytes))))
		return { path: name, kind };
	const text = (bytes: Uint8Array | null): string => (bytes ? decodeText(bytes) : '');
	const { diff, added, removed } = diffTexts(name, text(before), text(after));
	return { path: name, kind, diff: redactSecrets(diff), added, removed };
}

/** Counts files by directory: the first level, `node_modules` wherever it is, the parts of `.git`. */
function grouped(names: readonly string[]): { directory: string; count: number }[] {
	const counts = new Map<string, number>();
	for (const name of names) {
		const parts = name.split('/');
		const packages = parts.indexOf('node_modules');
		const depth = packages >= 0 ? packages + 1 : name.startsWith('.git/') ? 2 : 1;
		const directory = parts.slice(0, depth).join('/');
		counts.set(directory, (counts.get(directory) ?? 0) + 1);
	}
	const groups = [...counts].map(([directory, count]) => ({ directory, count }));
	const shown = groups.sort((a, b) => b.count - a.count).slice(0, MAX_GROUPS);
	const rest = groups.slice(MAX_GROUPS).reduce((sum, { count }) => sum + count, 0);
	return rest > 0 ? [...shown, { directory: '…', count: rest }] : shown;
}

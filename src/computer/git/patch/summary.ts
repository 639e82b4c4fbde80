import { sumLine } from '../diff/stat.ts';
import { modeText } from '../objects/tree.ts';
import { quotePath } from '../quote-path.ts';
import type { FilePatch } from './file-patch.ts';

const LONGEST_NAME = 50;
const COLUMNS = 70;

const count = ({ hunks }: FilePatch, sign: string) =>
	hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith(sign)).length, 0);

/** Output of `git apply --stat`, which differs slightly from `git diff --stat`. */
export function patchStat(patches: readonly FilePatch[]): string {
	const all = patches.map((patch) => ({
		name: quotePath(patch.newPath),
		isBinary: patch.isBinary,
		added: count(patch, '+'),
		removed: count(patch, '-')
	}));
	const width = Math.min(LONGEST_NAME, Math.max(0, ...all.map(({ name }) => name.length)));
	const most = Math.max(0, ...all.map(({ added, removed }) => added + removed));
	const bar = width + most > COLUMNS ? COLUMNS - width : most;
	const scaled = (lines: number) => (most === 0 ? lines : Math.floor((lines * bar + Math.floor(most / 2)) / most));
	let text = '';
	for (const { name, isBinary, added, removed } of all) {
		const head = ` ${shortened(name, width).padEnd(width)} |`;
		const plus = scaled(added);
		const signs = '+'.repeat(plus) + '-'.repeat(scaled(added + removed) - plus);
		text += isBinary ? `${head}  Bin\n` : `${head}${String(added + removed).padStart(5)} ${signs}\n`;
	}
	const sum = (part: (one: (typeof all)[number]) => number) => all.reduce((total, one) => total + part(one), 0);
	const lines = sumLine(
		all.length,
		sum(({ added }) => added),
		sum(({ removed }) => removed)
	);
	return text + lines;
}

/** @param zero terminates paths with a NUL byte and does not quote them */
export function patchNumstat(patches: readonly FilePatch[], zero = false): string {
	const line = (patch: FilePatch) => {
		const counts = patch.isBinary ? '-\t-' : `${count(patch, '+')}\t${count(patch, '-')}`;
		return `${counts}\t${zero ? `${patch.newPath}\0` : `${quotePath(patch.newPath)}\n`}`;
	};
	return patches.map(line).join('');
}

/** Summary of changes other than to lines: creations, deletions, renames and modes. */
export function patchSummary(patches: readonly FilePatch[]): string {
	return patches.map(summaryOf).join('');
}

function summaryOf(patch: FilePatch): string {
	const { kind, oldPath, newPath, oldMode, newMode, similarity } = patch;
	// A patch not created by git has no modes.
	const named = (mode: number | null) => (mode === null ? '' : ` mode ${modeText(mode)}`);
	if (kind === 'create') return ` create${named(newMode)} ${quotePath(newPath)}\n`;
	if (kind === 'delete') return ` delete${named(oldMode)} ${quotePath(oldPath)}\n`;
	const isChanged = oldMode !== null && newMode !== null && oldMode !== newMode;
	const modes = isChanged ? ` mode change ${modeText(oldMode)} => ${modeText(newMode)}` : '';
	if (kind === 'modify' && patch.isRewrite)
		return ` rewrite ${quotePath(newPath)} (${similarity}%)\n${isChanged ? `${modes} ${quotePath(newPath)}\n` : ''}`;
	if (kind === 'modify') return isChanged ? `${modes} ${quotePath(newPath)}\n` : '';
	return ` ${kind} ${arrow(oldPath, newPath)} (${similarity}%)\n${isChanged ? `${modes}\n` : ''}`;
}

function arrow(from: string, to: string): string {
	const [old, now] = [from.split('/'), to.split('/')];
	let same = 0;
	while (same < old.length - 1 && same < now.length - 1 && old[same] === now[same]) same++;
	const rest = (parts: string[]) => parts.slice(same).join('/');
	if (same === 0) return `${from} => ${to}`;
	return `${old.slice(0, same).join('/')}/{${rest(old)} => ${rest(now)}}`;
}

function shortened(name: string, width: number): string {
	if (name.length <= width) return name;
	const from = name.length + 3 - width;
	const slash = name.indexOf('/', from);
	return `...${name.slice(slash < 0 ? from : slash)}`;
}

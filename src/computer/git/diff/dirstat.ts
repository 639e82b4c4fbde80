import { GitError } from '../errors.ts';
import type { Repository } from '../repository.ts';
import { pathOf, type Change } from './change.ts';
import { comparedFile } from './compared-file.ts';
import { nameText, splitLines } from './lines.ts';
import { copiedBytes, piecesOf } from './similarity.ts';
import { lineChanges } from './unified-diff.ts';
import { comparePaths } from '../bytes.ts';

interface DirstatHow {
	by: 'changes' | 'lines' | 'files';
	isCumulative: boolean;
	/** Directories with a smaller share are omitted. */
	permille: number;
}

/** Number of bytes of a binary file that count as one line. */
const LINE_BYTES = 64;

/**
 * Output of `git diff --dirstat`: each directory's share of all changes. @param text parameters, separated by commas
 */
export function dirstatLines(repository: Repository, changes: readonly Change[], text: string): string {
	const how = dirstatHow(text);
	const files = changes
		.filter(({ status }) => status !== 'U')
		.map((change) => ({ path: pathOf(change), damage: damageOf(repository, change, how.by) }))
		.sort((a, b) => comparePaths(a.path, b.path));
	const whole = files.reduce((sum, { damage }) => sum + damage, 0);
	if (whole === 0) return '';
	let lines = '';
	let at = 0;
	const gather = (base: string): number => {
		let sum = 0;
		let sources = 0;
		for (let file = files[at]; file?.path.startsWith(base); file = files[at]) {
			const slash = file.path.indexOf('/', base.length);
			if (slash >= 0) {
				sum += gather(file.path.slice(0, slash + 1));
				sources++;
			} else {
				sum += file.damage;
				at++;
				sources += 2;
			}
		}
		// Omit the top level, and any directory whose changes are all in one subdirectory.
		if (base === '' || sources === 1 || sum === 0) return sum;
		const permille = Math.floor((sum * 1000) / whole);
		if (permille < how.permille) return sum;
		lines += `${String(Math.floor(permille / 10)).padStart(4)}.${permille % 10}% ${nameText(base)}\n`;
		return how.isCumulative ? sum : 0;
	};
	gather('');
	return lines;
}

function dirstatHow(text: string): DirstatHow {
	const how: DirstatHow = { by: 'changes', isCumulative: false, permille: 30 };
	let wrong = '';
	for (const word of text.split(',').filter((part) => part !== '')) {
		const percent = /^(\d+)(?:\.(\d)\d*)?$/.exec(word);
		if (word === 'changes' || word === 'lines' || word === 'files') how.by = word;
		else if (word === 'cumulative' || word === 'noncumulative') how.isCumulative = word === 'cumulative';
		else if (percent) how.permille = Number(percent[1]) * 10 + Number(percent[2] ?? 0);
		else
			wrong += /^\d/.test(word)
				? `  Failed to parse dirstat cut-off percentage '${word}'\n`
				: `  Unknown dirstat parameter '${word}'\n`;
	}
	if (wrong !== '') throw new GitError(`fatal: Failed to parse --dirstat/-X option parameter:\n${wrong}`, 128);
	return how;
}

function damageOf(repository: Repository, change: Change, by: DirstatHow['by']): number {
	const { before, after } = change;
	if (before && after && before.id === after.id) return 0;
	if (by === 'files') return 1;
	const file = comparedFile(repository, change, { text: false });
	if (by === 'lines') {
		if (file.isBinary) return Math.ceil((file.before.length + file.after.length) / LINE_BYTES);
		return lineChanges(splitLines(file.before), splitLines(file.after)).reduce(
			(sum, { beforeCount, afterCount }) => sum + beforeCount + afterCount,
			0
		);
	}
	const copied = before && after ? copiedBytes(piecesOf(file.before), piecesOf(file.after)) : 0;
	return Math.max(1, file.before.length + file.after.length - 2 * copied);
}

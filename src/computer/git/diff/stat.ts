import { arrowName } from './arrow-name.ts';
import type { FileCount } from './print.ts';

/** `git diff --stat`: a bar a file, then the sum. @param bars false: the sum alone */
export function printStat(files: readonly FileCount[], bars: boolean, columns = 80): string {
	const names = files.map(({ change }) => arrowName(change));
	const longest = Math.max(0, ...names.map((name) => name.length));
	const most = Math.max(0, ...files.map(({ counts }) => (counts ? counts.added + counts.removed : 0)));
	const binary = files.some(({ counts }) => !counts);
	const numberWidth = Math.max(String(most).length, binary ? 3 : 0);
	let nameWidth = longest;
	let barWidth = most;
	if (nameWidth + numberWidth + 6 + barWidth > columns) {
		const limit = Math.floor((columns * 3) / 8) - numberWidth - 6;
		if (barWidth > limit) barWidth = Math.max(limit, 6);
		if (nameWidth > columns - numberWidth - 6 - barWidth) nameWidth = columns - numberWidth - 6 - barWidth;
		else barWidth = columns - numberWidth - 6 - nameWidth;
	}
	let added = 0;
	let removed = 0;
	let text = '';
	files.forEach(({ change, counts, bytes }, i) => {
		added += counts?.added ?? 0;
		removed += counts?.removed ?? 0;
		if (!bars) return;
		const name = shorten(names[i]!, nameWidth);
		const head = ` ${name}${' '.repeat(Math.max(0, nameWidth - name.length))} | `;
		if (change.status === 'U') {
			text += `${head}Unmerged\n`;
			return;
		}
		if (!counts) {
			text += `${head}${'Bin'.padStart(numberWidth)}${bytes.before === bytes.after && bytes.before === 0 ? '' : ` ${bytes.before} -> ${bytes.after} bytes`}\n`;
			return;
		}
		const total = counts.added + counts.removed;
		let plus = counts.added;
		let minus = counts.removed;
		if (barWidth <= most) {
			const scale = (value: number) => (value === 0 ? 0 : 1 + Math.floor((value * (barWidth - 1)) / most));
			let whole = scale(total);
			if (whole < 2 && plus > 0 && minus > 0) whole = 2;
			if (plus < minus) {
				plus = scale(plus);
				minus = whole - plus;
			} else {
				minus = scale(minus);
				plus = whole - minus;
			}
		}
		const bar = '+'.repeat(plus) + '-'.repeat(minus);
		text += `${head}${String(total).padStart(numberWidth)}${bar === '' ? '' : ` ${bar}`}\n`;
	});
	const paths = new Set(files.filter(({ change }) => change.status !== 'U').map(({ change }) => change));
	return text + sumLine(paths.size, added, removed);
}

/** ` 2 files changed, 3 insertions(+), 1 deletion(-)`; '' for none. */
export function sumLine(files: number, added: number, removed: number): string {
	if (files === 0) return '';
	let text = ` ${files} file${files === 1 ? '' : 's'} changed`;
	if (added > 0 || removed === 0) text += `, ${added} insertion${added === 1 ? '' : 's'}(+)`;
	if (removed > 0 || added === 0) text += `, ${removed} deletion${removed === 1 ? '' : 's'}(-)`;
	return `${text}\n`;
}

function shorten(name: string, width: number): string {
	if (name.length <= width) return name;
	const tail = name.slice(name.length - (width - 3));
	const slash = tail.indexOf('/');
	return `...${slash >= 0 ? tail.slice(slash) : tail}`;
}

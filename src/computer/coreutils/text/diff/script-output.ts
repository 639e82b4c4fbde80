import { type Change, lineRange, linesOf, type Sides } from './changes.ts';
import { letterOf } from './normal-output.ts';

/** Makes an `ed` script (`-e`), whose commands go from the last line to the first. */
export function edScript(sides: Sides, changes: readonly Change[]): string {
	let script = '';
	for (const change of changes.toReversed()) {
		if (change.isIgnorable) continue;
		const letter = letterOf(change);
		script += `${lineRange(change.oldStart, change.oldCount)}${letter}\n`;
		if (letter === 'd') continue;
		let isOpen = true;
		for (const line of linesOf(sides.new, change.newStart, change.newCount)) {
			if (!isOpen) script += 'a\n';
			isOpen = line !== '.\n';
			// A line with a single point would end the text.
			script += isOpen ? ended(line) : '..\n.\ns/.//\n';
		}
		if (isOpen) script += '.\n';
	}
	return script;
}

/** Makes a script that looks like one for `ed`, in forward order (`-f`); `ed` cannot run it. */
export function forwardScript(sides: Sides, changes: readonly Change[]): string {
	let script = '';
	for (const change of changes) {
		if (change.isIgnorable) continue;
		const letter = letterOf(change);
		script += `${letter}${lineRange(change.oldStart, change.oldCount, ' ')}\n`;
		if (letter !== 'd') script += `${linesOf(sides.new, change.newStart, change.newCount).map(ended).join('')}.\n`;
	}
	return script;
}

/** Makes an RCS script (`-n`), which counts lines. */
export function rcsScript(sides: Sides, changes: readonly Change[]): string {
	let script = '';
	for (const { oldStart, oldCount, newStart, newCount, isIgnorable } of changes) {
		if (isIgnorable) continue;
		if (oldCount > 0) script += `d${oldStart + 1} ${oldCount}\n`;
		if (newCount > 0)
			script += `a${oldStart + oldCount} ${newCount}\n${linesOf(sides.new, newStart, newCount).join('')}`;
	}
	return script;
}

const ended = (line: string): string => (line.endsWith('\n') ? line : `${line}\n`);

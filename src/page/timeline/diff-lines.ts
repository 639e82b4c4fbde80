/** One displayed line of a diff, with its numbers in the old and new file. */
export interface DiffLine {
	kind: 'same' | 'added' | 'removed' | 'gap';
	text: string;
	oldNumber?: number;
	newNumber?: number;
}

/** Parses a unified diff; omits file headers and separates hunks by a gap. */
export function parseUnified(diff: string): DiffLine[] {
	const lines: DiffLine[] = [];
	let oldNumber = 1;
	let newNumber = 1;
	let inHunk = false;
	for (const line of diff.split('\n')) {
		const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
		if (hunk) {
			oldNumber = Number(hunk[1]);
			newNumber = Number(hunk[2]);
			if (inHunk || oldNumber > 1) lines.push({ kind: 'gap', text: '' });
			inHunk = true;
		} else if (!inHunk || line.startsWith('\\')) {
			continue;
		} else if (line.startsWith('+')) {
			lines.push({ kind: 'added', text: line.slice(1), newNumber: newNumber++ });
		} else if (line.startsWith('-')) {
			lines.push({ kind: 'removed', text: line.slice(1), oldNumber: oldNumber++ });
		} else if (line.startsWith(' ')) {
			lines.push({ kind: 'same', text: line.slice(1), oldNumber: oldNumber++, newNumber: newNumber++ });
		}
	}
	return lines[0]?.kind === 'gap' ? lines.slice(1) : lines;
}

/** Parses a patch in the agents' own format (`*** Update File:` …): lines without numbers. */
export function parseAgentPatch(patch: string): DiffLine[] {
	const lines: DiffLine[] = [];
	for (const line of patch.split('\n')) {
		if (/^\*\*\* (?:Begin|End)/.test(line)) continue;
		if (line.startsWith('*** ')) lines.push({ kind: 'gap', text: line.slice(4) });
		else if (line.startsWith('@@')) lines.push({ kind: 'gap', text: line.slice(2).trim() });
		else if (line.startsWith('+')) lines.push({ kind: 'added', text: line.slice(1) });
		else if (line.startsWith('-')) lines.push({ kind: 'removed', text: line.slice(1) });
		else if (line.startsWith(' ')) lines.push({ kind: 'same', text: line.slice(1) });
	}
	return lines;
}

/** Diff of a text replacement whose position is still unknown: common lines at both ends are context. */
export function replacementLines(before: string, after: string): DiffLine[] {
	const old = before === '' ? [] : before.split('\n');
	const now = after === '' ? [] : after.split('\n');
	let head = 0;
	while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
	let tail = 0;
	while (tail < Math.min(old.length, now.length) - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
	const line = (kind: DiffLine['kind']) => (text: string) => ({ kind, text });
	return [
		...old.slice(0, head).map(line('same')),
		...old.slice(head, old.length - tail).map(line('removed')),
		...now.slice(head, now.length - tail).map(line('added')),
		...old.slice(old.length - tail).map(line('same'))
	];
}

export function countLines(lines: readonly DiffLine[]): { added: number; removed: number } {
	let added = 0;
	let removed = 0;
	for (const { kind } of lines) {
		if (kind === 'added') added += 1;
		else if (kind === 'removed') removed += 1;
	}
	return { added, removed };
}

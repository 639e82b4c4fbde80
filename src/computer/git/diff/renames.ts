import type { Repository } from '../repository.ts';
import type { Change, ChangeSide } from './change.ts';
import { sortChanges } from './change.ts';
import { binaryText } from './lines.ts';
import { sideContent } from './sides.ts';

/** git's own limit: beyond it only files that are the same byte for byte are paired. */
const MAX_PAIRS = 1_000_000;
const LEAST_ALIKE = 50;

/** Manner of pairing files. */
export interface RenameHow {
	/** Percent of a file that has to be the same; half of it by default. */
	leastAlike?: number;
}

/** Pairs removed with added files that are alike. */
export function findRenames(repository: Repository, changes: Change[], how: RenameHow = {}): Change[] {
	const added = changes.filter(({ status }) => status === 'A');
	const removed = changes.filter(({ status }) => status === 'D');
	if (added.length === 0 || removed.length === 0) return changes;
	const pairs = new Map<Change, { source: Change; similarity: number }>();
	const used = new Set<Change>();
	const pair = (target: Change, source: Change, similarity: number): void => {
		pairs.set(target, { source, similarity });
		used.add(source);
	};
	for (const target of added) {
		const same = removed.filter((source) => !used.has(source) && source.before?.id === target.after?.id);
		const name = nameOf(target.after);
		const source = same.find(({ before }) => nameOf(before) === name) ?? same[0];
		if (source) pair(target, source, 100);
	}
	const targets = added.filter((target) => !pairs.has(target));
	const sources = removed.filter((source) => !used.has(source));
	if (targets.length * sources.length <= MAX_PAIRS) {
		for (const { target, source, score } of rank(repository, targets, sources, how.leastAlike ?? LEAST_ALIKE)) {
			if (!pairs.has(target) && !used.has(source)) pair(target, source, score);
		}
	}
	return sortChanges(
		changes
			.filter((change) => !used.has(change))
			.map((change): Change => {
				const found = pairs.get(change);
				return found
					? { status: 'R', before: found.source.before, after: change.after, similarity: found.similarity }
					: change;
			})
	);
}

function rank(repository: Repository, targets: Change[], sources: Change[], leastAlike: number) {
	const spans = new Map<ChangeSide, { size: number; chunks: Map<string, number> }>();
	const read = (side: ChangeSide) => {
		let known = spans.get(side);
		if (!known) {
			const content = sideContent(repository, side);
			spans.set(side, (known = { size: content.length, chunks: countChunks(content) }));
		}
		return known;
	};
	const ranked: { target: Change; source: Change; score: number; sameName: boolean }[] = [];
	for (const target of targets) {
		for (const source of sources) {
			if (!target.after || !source.before || kind(target.after) !== kind(source.before)) continue;
			const before = read(source.before);
			const after = read(target.after);
			const larger = Math.max(before.size, after.size);
			if (larger === 0 || Math.min(before.size, after.size) * 100 < larger * leastAlike) continue;
			let copied = 0;
			for (const [chunk, bytes] of before.chunks) copied += Math.min(bytes, after.chunks.get(chunk) ?? 0);
			const score = Math.floor((copied * 100) / larger);
			if (score >= leastAlike) {
				ranked.push({ target, source, score, sameName: nameOf(target.after) === nameOf(source.before) });
			}
		}
	}
	return ranked.sort((a, b) => b.score - a.score || Number(b.sameName) - Number(a.sameName));
}

const kind = (side: ChangeSide) => side.mode & 0o170000;
const nameOf = (side: ChangeSide | null) => side?.path.slice(side.path.lastIndexOf('/') + 1);

/** Bytes in each distinct line, long lines in pieces of 64: what similarity is counted in. */
function countChunks(content: Uint8Array): Map<string, number> {
	const counts = new Map<string, number>();
	const text = binaryText(content);
	const isText = !content.subarray(0, 8000).includes(0);
	let start = 0;
	for (let at = 0; at < text.length; at++) {
		const atEnd = text[at] === '\n' || at - start === 63 || at === text.length - 1;
		if (!atEnd) continue;
		let chunk = text.slice(start, at + 1);
		if (isText && chunk.endsWith('\r\n')) chunk = `${chunk.slice(0, -2)}\n`;
		counts.set(chunk, (counts.get(chunk) ?? 0) + chunk.length);
		start = at + 1;
	}
	return counts;
}

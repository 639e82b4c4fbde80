// Checks the words of comments: finds words that have a better plain English equivalent, and wrong openings of
// docblocks.
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Archaic words and riddles → what to write. */
const INSTEAD = {
	told: 'notified, reported',
	begun: 'started',
	anew: 'again',
	beforehand: 'in advance',
	whoever: 'the one who, or the role: caller, visitor',
	nobody: 'no one, or the role: no caller',
	somebody: 'someone, or the role: a user',
	'the person': 'the user',
	melted: 'merged',
	'made ready': 'prepared',
	whence: 'from which',
	thereof: 'of it',
	hitherto: 'until now',
	lest: 'so that … not'
};
const ARCHAIC = new RegExp(`\\b(${Object.keys(INSTEAD).join('|')})\\b`, 'i');
const OPENING = /^(Of|With|Those|Where|What|Who|Whether|How|Which)\b/;

/**
 * Finds comments that are not in plain English.
 *
 * @param {string[]} files absolute paths
 * @param {string} root folder that findings are relative to
 * @param {{ openings: boolean }} options `openings`: also how docblocks begin
 * @returns {string[]} findings, as `file:line: what to write`
 */
export function findWords(files, root, { openings }) {
	return files.flatMap((file) => {
		const name = path.relative(root, file);
		return comments(readFileSync(file, 'utf8')).flatMap(({ text, line, opens }) => {
			const archaic = ARCHAIC.exec(text)?.[0];
			const opening = openings && opens ? OPENING.exec(text)?.[0] : undefined;
			return [
				...(archaic ? [`${name}:${line}: “${archaic}”: write ${INSTEAD[archaic.toLowerCase()]}`] : []),
				...(opening ? [`${name}:${line}: a docblock begins with a verb or a noun, not with “${opening}”`] : [])
			];
		});
	});
}

/**
 * Splits a source into the lines of its comments.
 *
 * @param {string} source
 * @returns {{ text: string, line: number, opens: boolean }[]} `opens`: the first line of a docblock with text
 */
export function comments(source) {
	const found = [];
	let inBlock = false;
	let isOpening = false;
	for (const [index, raw] of source.split('\n').entries()) {
		const line = raw.trim();
		const startsBlock = !inBlock && /^(\/\*|<!--)/.test(line);
		if (startsBlock) isOpening = line.startsWith('/**');
		if (!inBlock && !startsBlock) {
			const [, text] = /(?:^|[^:'"`\\])\/\/ (.*)$/.exec(line) ?? [];
			if (text !== undefined) found.push({ text, line: index + 1, opens: false });
			continue;
		}
		const text = line.replace(/^(\/\*\*?|<!--|\*(?!\/))\s*/, '').replace(/\s*(\*\/|-->).*$/, '');
		if (text !== '') {
			found.push({ text, line: index + 1, opens: isOpening });
			isOpening = false;
		}
		inBlock = !/\*\/|-->/.test(line);
	}
	return found;
}

import { decode } from '../bytes.ts';
import { fatal } from '../errors.ts';

const SHORTEST_ENTRY = 23;

/** @throws GitError if the bytes are not a valid object of the type */
export function requireFormat(type: string, content: Uint8Array): void {
	if (type === 'tree') requireTree(content);
	if (type === 'commit' && !/^tree [0-9a-f]{40}\n(?:parent [0-9a-f]{40}\n)*/.test(decode(content)))
		throw fatal('corrupt commit');
	if (type === 'tag' && !/^object [0-9a-f]{40}\ntype (?:commit|tree|blob|tag)\ntag .*\n/.test(decode(content)))
		throw fatal('corrupt tag');
}

function requireTree(content: Uint8Array): void {
	for (let at = 0; at < content.length;) {
		if (content.length - at < SHORTEST_ENTRY || content[content.length - 21] !== 0)
			throw fatal('too-short tree object');
		const space = content.indexOf(0x20, at);
		const mode = space < 0 ? '' : decode(content.subarray(at, space));
		if (!/^[1-7][0-7]{0,5}$/.test(mode)) throw fatal('malformed mode in tree entry');
		const end = content.indexOf(0, space);
		if (end === space + 1) throw fatal('empty filename in tree entry');
		if (end + 21 > content.length) throw fatal('too-short tree file');
		at = end + 21;
	}
}

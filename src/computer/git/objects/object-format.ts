import { decode } from '../bytes.ts';
import type { ObjectType } from './object.ts';

const ID_BYTES = 20;
/** One digit of a mode, a blank, one letter of a name, a zero byte and an id. */
const LEAST_ENTRY_BYTES = 3 + ID_BYTES;

/** Reason why a content is no object of a type, in git's words; null if it may be one. */
export function formatFault(type: ObjectType, content: Uint8Array): string | null {
	switch (type) {
		case 'blob':
			return null;
		case 'tree':
			return treeFault(content);
		case 'commit':
			return /^tree [0-9a-f]{40}\n(?:parent [0-9a-f]{40}\n)*author /.test(decode(content)) ? null : 'corrupt commit';
		case 'tag':
			return /^object [0-9a-f]{40}\ntype [a-z]+\ntag /.test(decode(content)) ? null : 'corrupt tag';
	}
}

function treeFault(content: Uint8Array): string | null {
	for (let at = 0; at < content.length;) {
		const isShort = content.length - at < LEAST_ENTRY_BYTES || content[content.length - ID_BYTES - 1] !== 0;
		if (isShort) return 'too-short tree object';
		const space = content.indexOf(0x20, at);
		if (space < 0 || !/^[0-7]+$/.test(decode(content.subarray(at, space)))) return 'malformed mode in tree entry';
		if (content[space + 1] === 0) return 'empty filename in tree entry';
		at = content.indexOf(0, space) + 1 + ID_BYTES;
	}
	return null;
}

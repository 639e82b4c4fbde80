import { sha1 } from '#environment/sha1.ts';
import { encode, toHex } from '../bytes.ts';

export const OBJECT_TYPES = ['commit', 'tree', 'blob', 'tag'] as const;
export type ObjectType = (typeof OBJECT_TYPES)[number];

export interface GitObject {
	type: ObjectType;
	content: Uint8Array;
}

/** The empty tree: the base that a root commit is compared with. */
export const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
export const EMPTY_BLOB = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391';
export const NULL_ID = '0'.repeat(40);

/** Header that is hashed before an object's content. */
export const objectHeader = (type: string, size: number): Uint8Array => encode(`${type} ${size}\0`);

/** Id of an object, 40 hexadecimal digits. @param type one of git's types, unless only the id matters */
export function objectId(type: string, content: Uint8Array): string {
	return toHex(sha1(objectHeader(type, content.length), content));
}

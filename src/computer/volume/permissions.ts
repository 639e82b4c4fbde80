import type { Link } from '@jsonjoy.com/fs-core';
import { errno } from '#computer/abi/errno.ts';
import { childrenOf, isDirectory } from './inode.ts';

/** Permission bits of the owner, the only user that processes here run as. */
const [READ, WRITE, ENTER] = [0o400, 0o200, 0o100];

const hasBits = (link: Link, bits: number) => (link.getNode().perm & bits) === bits;

/** @throws EACCES unless names in the directory may be looked up */
export function checkEnter(directory: Link, path: string): void {
	if (!hasBits(directory, ENTER)) throw errno('EACCES', path);
}

/** @throws EACCES unless the directory may be listed */
export function checkList(directory: Link, path: string): void {
	if (!hasBits(directory, READ)) throw errno('EACCES', path);
}

/** @throws EACCES unless entries may be added to and removed from the directory */
export function checkEntries(directory: Link, path: string): void {
	if (!hasBits(directory, WRITE | ENTER)) throw errno('EACCES', path);
}

/** Returns whether a directory and the stats of its entries may be read. */
export const mayWalk = (directory: Link): boolean => hasBits(directory, READ | ENTER);

/** @throws EACCES unless everything below may be removed */
export function checkRemoval(link: Link, path: string): void {
	if (!isDirectory(link) || link.length === 0) return;
	if (!hasBits(link, READ | WRITE | ENTER)) throw errno('EACCES', path);
	for (const [, child] of childrenOf(link)) checkRemoval(child, path);
}

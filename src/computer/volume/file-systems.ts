import type { Link } from '@jsonjoy.com/fs-core';
import { FILE_SYSTEMS, type FileSystemUsage } from '#computer/abi/file-systems.ts';
import { childrenOf, deviceOf, fileOf, isDirectory } from './inode.ts';
import type { Volume } from './volume.ts';

/** Counts the entries and bytes of each file system. The bytes of a file with several names count once. */
export function fileSystemUsage({ root, limit }: Volume): FileSystemUsage[] {
	const sums = new Map(FILE_SYSTEMS.map(({ device }) => [device, { files: 0, bytes: 0 }]));
	const seen = new Set<number>();
	const visit = (link: Link): void => {
		const sum = sums.get(deviceOf(link));
		const file = fileOf(link);
		if (sum) {
			sum.files++;
			if (file && !seen.has(file.ino)) sum.bytes += file.getSize();
		}
		if (file && file.nlink > 1) seen.add(file.ino);
		if (isDirectory(link)) for (const [, child] of childrenOf(link)) visit(child);
	};
	visit(root);
	const used = [...sums.values()].reduce((total, { bytes }) => total + bytes, 0);
	return FILE_SYSTEMS.map((system) => {
		const { files = 0, bytes = 0 } = sums.get(system.device) ?? {};
		const freeBytes = Math.max(0, limit - used);
		return { ...system, totalBytes: freeBytes + bytes, usedBytes: bytes, freeBytes, files };
	});
}

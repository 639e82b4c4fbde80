import type { Change } from './change.ts';

/** Numbers of added and removed lines; null for a binary file. */
export interface FileCount {
	change: Change;
	counts: { added: number; removed: number } | null;
	bytes: { before: number; after: number };
}

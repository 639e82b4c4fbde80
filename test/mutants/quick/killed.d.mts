/** Mutants that were killed or that blocked a process, by the file and their places in the list of its mutants. */
type Killed = Record<string, { hash: string; killed: number[]; blocked?: number[] }>;

interface Decided {
	mutant: string;
	verdict: 'Killed' | 'Timeout';
	isBlocked?: true;
}

export function hashOf(text: string): string;
export function collectKilled(folder: string, kept: string): Killed;
export function decidedBefore(
	killed: Killed,
	fileOf: Record<string, string>,
	hashes: Record<string, string>
): Decided[];

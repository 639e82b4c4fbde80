/** Mutants that were killed, by the file and their places in the list of its mutants, and the text that they belong to. */
type Killed = Record<string, { hash: string; killed: number[] }>;

export function hashOf(text: string): string;
export function collectKilled(folder: string, kept: string): Killed;
export function killedBefore(killed: Killed, fileOf: Record<string, string>, hashes: Record<string, string>): string[];

/** Candidates that Tab may insert for the word before the cursor. */
export interface Completion {
	/** Number of characters before the cursor that are replaced. */
	replaces: number;
	/** Complete replacements, with a trailing `/` or space if that completes the word. */
	choices: string[];
	/** Labels for a list of the candidates. */
	labels: string[];
}

/** Longest common prefix of all choices. */
export function commonPrefix(choices: readonly string[]): string {
	let prefix = choices[0] ?? '';
	for (const choice of choices) while (!choice.startsWith(prefix)) prefix = prefix.slice(0, -1);
	return prefix;
}

/** Candidates that Tab may insert for the word before the cursor. */
export interface Completion {
	/** Characters before the cursor that are replaced. */
	replaces: number;
	/** Whole replacements, with a `/` or space at the end where that completes the word. */
	choices: string[];
	/** Labels for a list of the candidates. */
	labels: string[];
}

/** The longest beginning all choices share. */
export function commonPrefix(choices: readonly string[]): string {
	let prefix = choices[0] ?? '';
	for (const choice of choices) while (!choice.startsWith(prefix)) prefix = prefix.slice(0, -1);
	return prefix;
}

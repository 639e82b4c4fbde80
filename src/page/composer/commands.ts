/** A command of the page's own, or a skill of the repository. */
export interface Command {
	name: string;
	description: string;
	/** Absent: it goes to the agent as it is typed. */
	run?: () => void;
}

/** The `/…` being written as the first word, `null` where the caret is elsewhere. */
export function commandAt(text: string, caret: number): string | null {
	return /^\/([\w-]*)$/.exec(text.slice(0, caret))?.[1] ?? null;
}

/** Commands whose name begins with what is typed, then those that have it anywhere. */
export function matchCommands(commands: readonly Command[], query: string): Command[] {
	const wanted = query.toLowerCase();
	const begins = commands.filter(({ name }) => name.startsWith(wanted));
	return [...begins, ...commands.filter((command) => !begins.includes(command) && command.name.includes(wanted))];
}

/** A command of the page, or a skill of the repository. */
export interface Command {
	name: string;
	description: string;
	/** Absent: the command is sent to the agent as typed. */
	run?: () => void;
}

/** The `/…` being typed as the first word; `null` if the caret is elsewhere. */
export function commandAt(text: string, caret: number): string | null {
	return /^\/([\w-]*)$/.exec(text.slice(0, caret))?.[1] ?? null;
}

/** Commands whose name begins with the query, then those that contain it. */
export function matchCommands(commands: readonly Command[], query: string): Command[] {
	const wanted = query.toLowerCase();
	const begins = commands.filter(({ name }) => name.startsWith(wanted));
	return [...begins, ...commands.filter((command) => !begins.includes(command) && command.name.includes(wanted))];
}

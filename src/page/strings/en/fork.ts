const paths = (count: number): string => (count === 1 ? '1 path' : `${count} paths`);

/** Strings about work on a copy that the user approves. */
export const fork = {
	/** By the event's action. */
	reported: {
		begin: () => 'From here on the agent works on a fork: a copy of the files. Nothing of it is in the project yet.',
		restore: (count: number) => `The fork is back, with ${paths(count)} that differ.`,
		approve: (count: number) => `You approved ${paths(count)} of the fork; they are in the project now.`,
		drop: (count: number) => `You took ${paths(count)} back on the fork.`,
		discard: (count: number) =>
			count === 0
				? 'The fork ended; nothing differed.'
				: `You threw the fork away, with ${paths(count)} that differed.`,
		lost: () => 'The fork stopped with its computer and could not be brought back. The project is as it was.'
	},
	clash: (conflicts: readonly string[]) =>
		conflicts.length === 0 ? '' : `Still on the fork, because the project changed there too: ${conflicts.join(', ')}.`,
	view: 'Which side is shown',
	onFork: 'On the fork',
	inProject: 'In the project',
	banner: (count: number) =>
		count === 0 ? 'The agent works on a fork. Nothing differs yet.' : `On a fork: ${paths(count)} to approve.`,
	review: 'Review',
	list: 'Paths on the fork',
	empty: 'Nothing on the fork differs from the project.',
	hidden: (count: number) =>
		`${paths(count)} more that git ignores or keeps for itself; they go in with “Approve all”.`,
	hiddenOnly: (count: number) => `Only ${paths(count)} that git ignores or keeps for itself differ.`,
	approveAll: 'Approve all',
	approve: 'Approve this path',
	take: 'Take it back on the fork',
	discard: 'Throw the fork away',
	discardQuestion: 'Throw away everything the agent did on the fork? It is kept as a checkpoint you can go back to.',
	discardYes: 'Throw it away',
	end: 'End the fork',
	keep: 'Keep it',
	busy: 'The agent is at work on the fork. Stop it, or wait, to approve.',
	conflict: 'The project changed here too.',
	overwrite: 'Put the fork’s over it',
	project: 'Keep the project’s',
	approved: (count: number) => `${paths(count)} approved.`,
	/** Labels of checkpoints. */
	before: 'Before the fork was approved',
	after: 'Fork approved',
	thrown: 'Fork as it was thrown away',
	terminal: 'This shell is on the main machine. What the agent does on its fork is not seen here.',
	locked: 'A fork is open. Approve it or throw it away first; then you can go back.'
};

const files = (count: number): string => (count === 1 ? '1 file' : `${count} files`);

/** Strings about work on a copy that the user approves. */
export const fork = {
	/** By the event's action. */
	reported: {
		begin: () => 'The agent now works on a copy. Your files stay as they are until you approve.',
		restore: (count: number) => `The copy is back, with ${files(count)} changed.`,
		approve: (count: number) => `You approved ${files(count)}. They are in the project now.`,
		drop: (count: number) => `You discarded ${files(count)} of the copy.`,
		discard: (count: number) =>
			count === 0 ? 'The copy is closed. It had no changes.' : `You discarded the copy, with ${files(count)} changed.`,
		lost: () => 'The copy was lost when its computer stopped. Your files are as they were.'
	},
	clash: (conflicts: readonly string[]) =>
		conflicts.length === 0 ? '' : `Not approved yet, because you changed them too: ${conflicts.join(', ')}.`,
	view: 'Copy or project',
	onFork: 'On the copy',
	inProject: 'In the project',
	banner: (count: number) =>
		count === 0
			? 'The agent works on a copy. No changes yet.'
			: `${count === 1 ? '1 change' : `${count} changes`} to approve`,
	review: 'Review',
	list: 'Files changed on the copy',
	empty: 'The copy has no changes.',
	hidden: (count: number) => `${files(count)} more that git ignores or keeps for itself. “Approve all” includes them.`,
	hiddenOnly: (count: number) => `Only ${files(count)} that git ignores or keeps for itself changed.`,
	approveAll: 'Approve all',
	approve: 'Approve this file',
	take: 'Discard this file',
	discard: 'Discard all',
	discardQuestion: 'Discard all of the agent’s changes? You can still go back to them in History.',
	discardYes: 'Discard everything',
	end: 'Close the copy',
	keep: 'Cancel',
	busy: 'The agent is working on the copy. Stop it, or wait, to approve.',
	conflict: 'You changed this file too.',
	overwrite: 'Use the agent’s version',
	project: 'Keep yours',
	approved: (count: number) => `${files(count)} approved.`,
	/** Labels of checkpoints. */
	before: 'Before the copy was approved',
	after: 'Copy approved',
	thrown: 'Discarded copy',
	terminal: 'This shell works on your files. What the agent does on its copy does not show here.',
	locked: 'The agent’s copy is open. Approve or discard it first; then you can go back.'
};

/** Strings of the comparison of a session with its fork. */
export const outcomes = {
	button: 'Compare',
	title: 'Compare two outcomes',
	intro: 'What each came to since they parted. Only files that git looks at are compared.',
	other: 'With',
	here: 'This session',
	there: (title: string) => `“${title}”`,
	model: 'Model',
	tests: 'Last tests',
	exit: (command: string, code: string) => `${command}: exit ${code}`,
	noTests: 'none were run',
	none: 'no model has worked',
	unpriced: 'no price known',
	tokens: 'Tokens',
	worked: 'At work',
	turns: 'Turns',
	same: 'The files are the same in both.',
	differ: (count: number) => (count === 1 ? '1 file differs.' : `${count} files differ.`),
	sides: 'Removed lines are the other session’s, added lines are this one’s.',
	list: 'Paths that differ'
};

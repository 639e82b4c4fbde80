const files = (count: number): string => (count === 1 ? '1 file' : `${count} files`);

/** Strings of the comparison of a session with its fork. */
export const outcomes = {
	button: 'Compare',
	title: 'Compare',
	other: 'With',
	withThisFork: (there: string) => `${there} with this fork`,
	withMain: (there: string) => `${there} with main`,
	sides: 'Both results',
	filesChanged: 'Files changed',
	testsEdited: 'Tests edited',
	files,
	model: 'Model',
	exit: (command: string, code: string) => `${command}: exit ${code}`,
	noTests: 'None run',
	none: 'None',
	unpriced: 'No price known',
	same: 'The files are the same in both.',
	differ: (count: number) => (count === 1 ? '1 file differs.' : `${count} files differ.`),
	alike: 'Same in both',
	list: (name: string) => `Files changed in ${name}`,
	kept: 'Both are kept until you delete one.',
	newTab: (name: string) => `Open ${name} in a new tab`,
	back: 'Back to main',
	goTo: (name: string) => `Go to ${name}`,
	makeMain: 'Make this fork main',
	isMain: 'This fork is main now.'
};

/** Strings of quick open, find in files and the editor's language features. */
export const code = {
	quickOpen: {
		button: 'Go to file',
		title: 'Go to file',
		placeholder: 'File name, or > for actions',
		files: 'Files',
		recent: 'Recent',
		actions: 'Actions',
		none: 'No matches',
		loading: 'Listing files…',
		changed: 'changed',
		hintOpen: 'open',
		hintActions: 'actions',
		results: (count: number) => (count === 1 ? '1 match' : `${count} matches`)
	},
	find: {
		title: 'Find in files',
		close: 'Close find in files',
		pattern: 'Find',
		replacement: 'Replace',
		replacePlaceholder: 'Replace',
		matchCase: 'Match case',
		wholeWord: 'Whole word',
		regex: 'Regular expression',
		include: 'Files to include',
		includePlaceholder: 'Files to include, for example src/**/*.ts',
		searching: 'Searching…',
		results: (lines: number, files: number) =>
			`${lines === 1 ? '1 result' : `${lines} results`} in ${files === 1 ? '1 file' : `${files} files`}`,
		limit: (lines: number) => `The first ${lines} results. Search for something longer to see the rest.`,
		none: 'No results',
		list: 'Results',
		replaceAll: 'Replace all',
		replaced: (places: number, files: number) =>
			`Replaced ${places === 1 ? '1 match' : `${places} matches`} in ${files === 1 ? '1 file' : `${files} files`}`,
		skipped: (paths: string) => `Not replaced, because they changed or are not saved: ${paths}`,
		askAgent: 'Ask the agent to change all',
		toAgent: (pattern: string, places: string) => `Change every place that contains \`${pattern}\`:\n${places}\n`
	}
};

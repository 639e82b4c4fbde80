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
		skipped: (paths: string) => `Not replaced, because they changed or have unsaved edits: ${paths}`,
		askAgent: 'Ask the agent to change all',
		toAgent: (pattern: string, places: string) => `Change every place that contains \`${pattern}\`:\n${places}\n`
	},
	definition: {
		outside: 'This is defined outside the project.',
		none: 'No definition found'
	},
	format: {
		button: 'Format',
		same: 'Already formatted'
	},
	problems: {
		title: 'Problems',
		close: 'Close problems',
		show: (errors: number, warnings: number) =>
			`Problems: ${errors === 1 ? '1 error' : `${errors} errors`}, ${warnings === 1 ? '1 warning' : `${warnings} warnings`}`,
		counts: (errors: number, warnings: number) =>
			`${errors === 1 ? '1 error' : `${errors} errors`}, ${warnings === 1 ? '1 warning' : `${warnings} warnings`}`,
		checking: (files: number) => (files === 1 ? 'Checking 1 file…' : `Checking ${files} files…`),
		none: 'No problems',
		error: 'Error',
		warning: 'Warning',
		ask: 'Ask the agent to fix',
		toAgent: (list: string) => `Fix these problems:\n${list}\n`
	},
	rename: {
		title: (name: string) => `Rename ${name}`,
		to: 'New name',
		button: 'Rename',
		nothing: 'This can’t be renamed.',
		inPackage: 'This name belongs to an installed package, so it can’t be renamed here.',
		unsaved: (name: string) => `Save ${name} first.`,
		changed: 'The files changed meanwhile. Try again.',
		done: (places: number, files: number) =>
			`Renamed ${places === 1 ? '1 place' : `${places} places`} in ${files === 1 ? '1 file' : `${files} files`}`
	},
	breadcrumbs: 'Path of the open file',
	menu: {
		project: 'Project',
		more: 'More for the project',
		ask: 'Ask about this',
		changes: 'Show changes',
		newFile: 'New file…',
		newFolder: 'New folder…',
		upload: 'Upload files…',
		rename: 'Rename…',
		duplicate: 'Duplicate',
		copyPath: 'Copy path',
		copied: 'Path copied',
		download: 'Download',
		delete: 'Delete',
		name: 'Name',
		badName: 'Use a name without “..” and without empty parts.',
		exists: (path: string) => `${path} already exists.`,
		renameTitle: (path: string) => `Rename ${path}`,
		newFileTitle: 'New file',
		newFolderTitle: 'New folder',
		deleteTitle: (path: string) => `Delete ${path}?`,
		deleteFile: 'This deletes the file from the project.',
		deleteFolder: 'This deletes the folder and everything in it from the project.'
	},
	views: {
		show: { markdown: 'Rendered', svg: 'Image', table: 'Table', notebook: 'Notebook' },
		rendered: (path: string) => `${path}, rendered`,
		cut: (rows: number) => `The first ${rows} rows.`,
		output: 'Output of the cell',
		notReadable: 'This file isn’t a valid notebook. Show its source instead.',
		pdf: {
			pages: 'Pages',
			page: (number: number, pages: number) => `Page ${number} of ${pages}`,
			previous: 'Previous page',
			next: 'Next page',
			width: 'Fit width',
			problems: {
				locked: 'This PDF is locked with a password. Unlock it on your computer and attach the copy.',
				slow: 'This page takes too long to draw. Read its text in the terminal with pdftotext.',
				noProgram: 'This machine can’t show PDFs. Install poppler-utils there, or open the file in the tab.',
				damaged: 'This file is damaged or isn’t a PDF.'
			}
		}
	}
};

const files = (count: string): string => (count === '1' ? '1 file' : `${count} files`);

/** Strings of the dialog that writes back to a folder of this machine. */
export const folder = {
	title: 'Save to a folder on this computer',
	button: 'Write to a folder…',
	intro: 'Only what changed here is written. A file that also changed on disk is left alone unless you select it.',
	impossible:
		'This browser does not let a page write into folders; Chromium, Chrome and Edge do. Save the zip and unpack it over your folder instead.',
	name: 'The folder is',
	choose: 'Choose the folder',
	other: 'Another folder',
	allow: (name: string) => `Allow writing to ${name}`,
	refused: (name: string) => `The browser may not write to ${name}. Allow it when asked, or choose another folder.`,
	plan: (write: string, remove: string) => `${files(write)} to write, ${remove} to remove.`,
	already: (count: number) =>
		count === 1 ? '1 file is there already as it is here.' : `${count} files are there already as they are here.`,
	links: (count: number) =>
		count === 1
			? '1 symbolic link cannot be written by a page.'
			: `${count} symbolic links cannot be written by a page.`,
	conflicts: 'These files changed on disk. Select the ones to overwrite.',
	write: 'Write',
	done: (written: string, removed: string, left: string) =>
		`Wrote ${files(written)}, removed ${removed}, left ${left} that changed on disk.`,
	checkpoint: (name: string) => `Written to ${name}`
};

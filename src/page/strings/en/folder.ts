const files = (count: string): string => (count === '1' ? '1 file' : `${count} files`);

/** Strings of the dialog that writes back to a folder of this machine. */
export const folder = {
	title: 'Save to a folder on this computer',
	button: 'Save to a folder…',
	intro:
		'Only files that changed here are written. Files that also changed on disk are left alone unless you select them.',
	impossible:
		'This browser doesn’t let pages write to folders; Chrome and Edge do. Save the zip and unpack it over your folder instead.',
	name: 'Folder',
	choose: 'Choose the folder',
	other: 'Another folder',
	allow: (name: string) => `Allow writing to ${name}`,
	refused: (name: string) =>
		`Your browser didn’t allow writing to ${name}. Allow it when asked, or choose another folder.`,
	plan: (write: string, remove: string) => `${files(write)} to write, ${remove} to remove.`,
	already: (count: number) =>
		count === 1 ? '1 file is already up to date.' : `${count} files are already up to date.`,
	links: (count: number) =>
		count === 1 ? '1 symbolic link can’t be written by a page.' : `${count} symbolic links can’t be written by a page.`,
	conflicts: 'These files changed on disk. Select the ones to overwrite.',
	write: 'Write',
	done: (written: string, removed: string, left: string) =>
		`Wrote ${files(written)}, removed ${removed}, left ${left} that changed on disk.`,
	checkpoint: (name: string) => `Written to ${name}`
};

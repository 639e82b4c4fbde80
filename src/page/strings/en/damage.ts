/** Strings about a session that is damaged in storage. */
export const damage = {
	title: 'Part of this session is damaged in this browser’s storage.',
	rest: 'Everything else is here. The page can’t restore the following; the raw files have what is left of it.',
	conversation_lines: (count: number) =>
		`The conversation lost at least ${count === 1 ? '1 entry' : `${count} entries`}.`,
	conversation_missing: 'The conversation is lost.',
	change_lines: (count: number) =>
		`At least ${count === 1 ? '1 record' : `${count} records`} of changes to files cannot be read, so some files may be older than they were, missing, or back.`,
	changes_missing: (contents: number) =>
		contents === 0
			? 'The files are lost.'
			: `The list of files is lost, so no file can be opened. The contents of ${contents} are in the raw files.`,
	last_changes: (count: number, paths: string) =>
		`The last ${count === 1 ? 'change' : `${count} changes`} to files: the files are as they were before. ${paths}`,
	files: (count: number, paths: string) =>
		`The contents of ${count === 1 ? '1 file' : `${count} files`}, which the project now lacks: ${paths}`,
	checkpoints: (count: number) => `${count === 1 ? '1 checkpoint' : `${count} checkpoints`} can’t be opened any more.`,
	more: (count: number) => `and ${count} more`,
	download: 'Download the raw files',
	none: 'Nothing of this session is left in this browser.',
	dismiss: 'Close'
};

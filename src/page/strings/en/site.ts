/** Strings of the dialog that publishes a built site. */
export const site = {
	title: 'Publish site',
	button: 'Publish site…',
	looking: 'Looking for a built site…',
	none: 'No built site found. Build it first, for example with “npm run build”, so that a folder such as dist has an index.html.',
	intro: 'The files of the folder are published as they are, without hidden files and node_modules.',
	which: 'Folder',
	root: 'The project itself',
	folder: (name: string, files: number, size: string) =>
		`${name} · ${files === 1 ? '1 file' : `${files} files`} · ${size}`,
	branch: 'Branch',
	how: (path: string, host: string) =>
		`The branch of ${path} on ${host} then holds the site and nothing else. Choose it once as the source of Pages in the repository’s settings.`,
	noRemote: 'This project has no Git remote to push a site to. Download the zip and upload it where you host sites.',
	message: 'Publish site',
	zip: 'Download zip',
	push: 'Push site',
	pushed: (branch: string) => `Pushed the site to the branch ${branch}.`
};

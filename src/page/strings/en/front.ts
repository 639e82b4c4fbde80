/** Strings of the front page, the import, and the questions before either continues. */
export const front = {
	lead: 'A coding agent whose whole computer is this tab. Import a repository, give it a task, watch every step, take it back, share it by link.',
	crashed: (reason: string) =>
		`The computer in this tab stopped (${reason}). It starts again at the next command, with the files as they were.`,
	noProject: 'No project is open. Import a repository first.',
	front: {
		gitUrl: 'Git URL',
		gitUrlPlaceholder: 'github.com/owner/repo',
		import: 'Import',
		openFolder: 'Open folder',
		uploadZip: 'Upload zip',
		sessionFile: 'Open a session file',
		demo: 'Watch the demo',
		template: 'Start from a template',
		dropHere: 'Drop a folder, a zip or a session file to open it here',
		demoNote: 'The demo needs no key and no account: its model is a script, everything else is real.',
		facts: [
			['Nothing to install', 'A shell, Node, git and search run in the page itself.'],
			['Your code stays', 'It stays in the tab. Only what the model reads goes to the model, and you see it.'],
			['Every step is kept', 'Each one can be undone, replayed, forked and shared.']
		] as const,
		recent: 'Recent sessions',
		noRecent: 'Sessions you open are kept in this browser and listed here.',
		loadingRecent: 'Looking for earlier sessions…',
		remove: 'Delete',
		removeTitle: (title: string) => `Delete “${title}”?`,
		removeQuestion: 'Its files and its conversation are removed from this browser. This cannot be undone.',
		removeShares: (count: number) =>
			`${count === 1 ? 'The link' : `The ${count} links`} you shared of it can still be deleted afterwards, under “Shares you made”.`,
		rename: 'Rename',
		name: 'Name of the session',
		save: 'Save',
		keep: 'Keep it',
		changed: (count: number) => (count === 1 ? '1 file changed' : `${count} files changed`)
	},
	folders: {
		title: 'Too large as a whole',
		why: (most: string) =>
			`The tab takes up to ${most} at once. Choose the folders you need; what lies on the way to them comes along.`,
		list: 'Folders',
		files: (count: number, shown: string) => (count === 1 ? '1 file' : `${shown} files`),
		chosen: (size: string) => `${size} chosen`,
		import: 'Import these',
		cancel: 'Cancel'
	},
	templates: {
		title: 'Start from a template',
		intro: 'A few files to begin with; everything else is up to you and the agent.',
		empty: ['Empty', 'Nothing but a readme.'] as const,
		node: ['Node and TypeScript', 'A module, and a test that runs with npm test.'] as const,
		page: ['Web page', 'One HTML document for the preview, no build step.'] as const
	},
	importing: {
		title: (name: string) => `Importing ${name}`,
		connecting: 'Connecting',
		downloading: 'Downloading',
		unpacking: 'Unpacking',
		baseline: 'Recording what was there',
		done: 'Done',
		cancel: 'Cancel',
		received: (size: string) => `${size} received`,
		files: (count: string) => `${count} files`,
		seconds: (seconds: string) => `${seconds} s`,
		starting: 'Starting the computer in this tab…',
		reopening: 'Bringing the session back…'
	},
	token: {
		title: 'This server asks for its token',
		why: 'Its operator set one, so that only you and other invited users can use its keys. It is stored in a cookie that scripts cannot read.',
		label: 'Token',
		refused: 'That is not the token. Check it and try again.',
		open: 'Open',
		without: 'Go on without'
	},
	gitToken: {
		title: (repository: string) => `${repository} asks for a token`,
		use: {
			read: 'git wants to read this repository.',
			push: 'git wants to push to this repository. What it pushes is shown to you before it is sent.',
			request: 'It is needed to open the pull request.'
		},
		why: 'This page sends it for this repository only and forgets it with the project. The computer in this tab never sees it. git there can read with it; each push asks you.',
		user: 'User name, if the server wants one',
		label: 'Token or password',
		refused: 'The server did not accept that. Check it and try again.',
		accept: 'Use token',
		without: 'Go on without'
	},
	egress: {
		title: 'Network',
		question: (tool: string, host: string) => `${tool} wants to reach ${host}.`,
		why: 'Nothing leaves the computer in this tab unless you allow it.',
		once: 'Allow this request',
		session: 'Allow this host',
		deny: 'Refuse',
		push: {
			question: (repository: string) => `git wants to push to ${repository}.`,
			size: (size: string) => `${size} would be sent.`,
			created: (ref: string, after: string) => `${ref}: new, at ${after}`,
			deleted: (ref: string, before: string) => `${ref}: deleted, was ${before}`,
			moved: (ref: string, before: string, after: string) => `${ref}: ${before} → ${after}`,
			more: (count: number) => `and ${count} more`,
			why: 'It is sent with the token that you gave for this repository, if you gave one.',
			once: 'Push this',
			deny: 'Do not push'
		},
		pushToken: {
			question: (repository: string) => `git wants to use your token to prepare a push to ${repository}.`,
			why: 'You gave it for reading. This step only lists branches; what is pushed is shown to you before it is sent.',
			once: 'Allow once',
			session: 'Allow for this repository',
			deny: 'Refuse'
		}
	}
};

/** Strings of the front page, the import, and the questions before either continues. */
export const front = {
	lead: 'It runs the shell, Node, Python and git right here in the page. Watch every step, go back to any of them, try it another way, and share the whole session as a link.',
	crashed: (reason: string) =>
		`The computer in this tab stopped (${reason}). Your files are safe. It restarts with the next command.`,
	noProject: 'No project is open. Import a repository first.',
	front: {
		about: 'About Sandglass',
		links: { how: 'How it works', docs: 'Docs', github: 'GitHub', source: 'Source' },
		claim: 'A coding agent whose computer is this tab',
		task: 'What do you want to build or fix?',
		start: 'Start',
		localModel: 'or use a model on this computer',
		runsWith: (model: string) => `Runs with ${model}`,
		folder: 'Folder',
		zip: 'Zip',
		fromTemplate: 'Template',
		orTry: 'Or try one of these',
		demoAbout: 'no key needed',
		examples: {
			site: { task: 'Add a dark theme to this site', about: 'static site' },
			tool: { task: 'Let the tool count lines and characters too', about: 'command-line tool' }
		},
		hero: {
			task: 'The German tests fail. Find out why and fix it.',
			answer: 'Fixed. German now comes before Latin, so ü becomes ue again.',
			note: 'Replay of the demo',
			start: 'Task',
			moments: 'Moments of the replay',
			about: 'The demo, played back. Drag the line to go to any step.',
			open: 'Open this session'
		},
		gitUrl: 'Git URL',
		gitUrlPlaceholder: 'github.com/owner/repo',
		import: 'Import',
		openFolder: 'Open folder',
		uploadZip: 'Upload zip',
		sessionFile: 'Open a saved session',
		demo: 'Watch the demo',
		template: 'Start from a template',
		dropHere: 'Drop a folder, zip or session to open it',
		demoNote:
			'No account and nothing to install. In the demo the model’s words are scripted; the files, edits and tests are real.',
		facts: [
			[
				'A whole computer',
				'Shell, Node, Python, npm, git and previews, all inside the page. Your code stays in this tab.'
			],
			['Every step can be undone', 'Drag back to any moment. Files, terminal and conversation follow.'],
			['Links that replay', 'An encrypted link that anyone can play, verify and continue.'],
			['Open source', 'MIT licensed. Run it yourself, or use the agent as a library.']
		] as const,
		recent: 'Recent sessions',
		noRecent: 'Your sessions stay in this browser and appear here.',
		loadingRecent: 'Loading sessions…',
		remove: 'Delete',
		removeTitle: (title: string) => `Delete “${title}”?`,
		removeQuestion: 'This deletes its files and conversation from this browser. You can’t undo it.',
		removeShares: (count: number) =>
			`${count === 1 ? 'The link' : `The ${count} links`} you shared of it can still be deleted afterwards, under “Shares you made”.`,
		rename: 'Rename',
		name: 'Name of the session',
		save: 'Save',
		keep: 'Cancel',
		changed: (count: number) => (count === 1 ? '1 file changed' : `${count} files changed`)
	},
	folders: {
		title: 'Choose folders to import',
		why: (most: string) =>
			`This repository is larger than ${most}, the most a tab can hold. Choose the folders you need.`,
		list: 'Folders',
		files: (count: number, shown: string) => (count === 1 ? '1 file' : `${shown} files`),
		chosen: (size: string) => `${size} chosen`,
		import: (count: number) => (count === 0 ? 'Import' : count === 1 ? 'Import 1 folder' : `Import ${count} folders`),
		cancel: 'Cancel'
	},
	templates: {
		title: 'Start from a template',
		intro: 'A few files to start from.',
		empty: ['Empty', 'Just a readme.'] as const,
		vanilla: ['Vanilla TypeScript', 'A page and two modules, built as you edit.'] as const,
		react: ['React', 'A component with state.'] as const,
		svelte: ['Svelte', 'A component with runes.'] as const,
		vue: ['Vue', 'A single-file component.'] as const,
		hono: ['Node API', 'Hono with two routes and a test.'] as const,
		python: ['Python package', 'A module and its unit tests.'] as const,
		cli: ['Command-line tool', 'Node with arguments and a test.'] as const,
		site: ['Static site', 'Two pages and a style sheet.'] as const,
		node: ['Node and TypeScript', 'A module, and a test that runs with npm test.'] as const,
		page: ['Web page', 'One HTML document for the preview, no build step.'] as const
	},
	importing: {
		title: (name: string) => `Importing ${name}`,
		connecting: 'Connecting',
		downloading: 'Downloading',
		unpacking: 'Unpacking',
		baseline: 'Saving a first version',
		done: 'Done',
		cancel: 'Cancel',
		received: (size: string) => `${size} received`,
		files: (count: string) => `${count} files`,
		seconds: (seconds: string) => `${seconds} s`,
		starting: 'Starting the computer in this tab…',
		reopening: 'Opening your session…'
	},
	token: {
		title: 'Enter this server’s access token',
		why: 'Its operator set one, so that only invited people use its keys. It’s kept in a cookie that scripts can’t read.',
		label: 'Token',
		refused: 'That token isn’t right. Check it and try again.',
		open: 'Open',
		without: 'Continue without it'
	},
	gitToken: {
		title: (repository: string) => `Sign in to ${repository}`,
		use: {
			read: 'git is about to read this repository.',
			push: 'git is about to push to this repository. You see what it pushes before it’s sent.',
			request: 'Opening the pull request needs it.'
		},
		why: 'Only this repository’s host receives it, and it’s gone when you close the project. Programs in this tab never see it. git can read with it; each push asks you.',
		user: 'User name, if the host needs one',
		label: 'Token or password',
		refused: 'The host didn’t accept it. Check it and try again.',
		accept: 'Use token',
		without: 'Continue without it'
	},
	gitHub: {
		title: 'Sign in with GitHub',
		signIn: 'Sign in with GitHub',
		why: 'GitHub asks you what this server’s app may do. The token comes back to this tab; the server doesn’t store it.',
		enter: 'Enter this code at GitHub:',
		code: 'Code',
		open: 'Open GitHub',
		waiting: 'Waiting for GitHub…',
		or: 'Or use a token of your own, which can be limited to this repository.',
		failures: {
			expired: 'The code has expired. Sign in again to get another one.',
			denied: 'You didn’t allow it on GitHub.',
			failed: 'GitHub couldn’t be reached, or refused the request. Try again, or use a token.'
		}
	},
	egress: {
		title: 'Network',
		question: (tool: string, host: string) => `Let ${tool} reach ${host}?`,
		why: 'Nothing has left this tab yet.',
		deny: 'Deny',
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
			deny: 'Deny'
		}
	}
};

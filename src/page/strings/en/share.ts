/** What the share dialog and a shared session say. */
export const sharing = {
	share: {
		title: 'Share this session',
		intro: 'Whoever has the link can replay the session, read its files and go on in a computer of their own.',
		contents: 'What the link carries',
		collecting: 'Looking through what would be shared…',
		conversation: (count: number) => `The conversation: ${count} entries`,
		files: (count: number, size: string) => (count === 1 ? `1 file, ${size}` : `${count} files, ${size}`),
		base: (url: string) => `On top of ${url}`,
		checkpoints: (count: number) =>
			count === 1 ? 'The files as they are now, step by step' : `The files at ${count} checkpoints, deleted ones too`,
		commands: (count: number) =>
			count === 1 ? 'A receipt of 1 command, to be verified' : `A receipt of ${count} commands, to be verified`,
		history: 'With each checkpoint and a receipt of the commands',
		size: (size: string) => `${size} in all, compressed`,
		secrets: 'This looks like a secret and is left out unless you tick it:',
		secretAt: (kind: string, where: string) => `${kind} in ${where}`,
		inline: 'It fits into the link itself: no server keeps it, and it cannot be taken back.',
		stored:
			'It is encrypted here and kept on the server; the key is only in the link. It can be deleted before it expires.',
		expiry: 'Expires after',
		days: (days: number) => (days === 1 ? '1 day' : `${days} days`),
		viewOnly: 'Hide “Continue from here” (a courtesy, no protection)',
		create: 'Create link',
		creating: 'Encrypting…',
		link: 'Share link',
		copy: 'Copy',
		copied: 'Copied',
		close: 'Close',
		until: (date: string) => `Works until ${date}.`,
		unavailable: 'Sharing is not available on this site.',
		readOnly: 'Links are made in the tab that has the session. Take it over to make one here.',
		earlier: 'Links that still work',
		made: 'Shares you made',
		copyLink: (title: string, id: string) => `Copy the link to ${title} (${id})`,
		delete: 'Delete',
		deleteLink: (title: string, id: string) => `Delete the link to ${title} (${id})`,
		file: 'Or keep it as a file',
		fileWhy:
			'It holds the same as the link, and opens from the front page, here or in another browser. With a passphrase it is encrypted; nobody can help who forgets it.',
		passphrase: 'Passphrase (optional)',
		saveFile: 'Save file',
		savingFile: 'Saving…',
		deleted: 'The link was deleted; it opens nothing any more.'
	},
	sessionFile: {
		title: 'This session is encrypted',
		why: (name: string) => `Give the passphrase that ${name} was saved with.`,
		label: 'Passphrase',
		wrong: 'The passphrase does not fit, or the file is damaged. Check it and try again.',
		open: 'Open',
		opening: 'Opening…',
		cancel: 'Cancel'
	},
	verify: {
		button: 'Verify',
		title: 'Run its commands again',
		why: (count: number) =>
			`This share has a receipt of ${count === 1 ? '1 command' : `${count} commands`}. They were written by whoever made the session; here they run in a computer in this tab that is thrown away afterwards. What they want from the network is asked about.`,
		run: (count: number) => (count === 1 ? 'Run 1 command' : `Run ${count} commands`),
		preparing: 'Bringing the files there…',
		running: (now: number, count: number) => `Command ${now} of ${count}`,
		done: (matches: number, count: number) =>
			matches === count ? `All ${count} match the receipt.` : `${matches} of ${count} match the receipt.`,
		missing: (count: number) =>
			count === 1
				? '1 was not run: the conversation was changed.'
				: `${count} were not run: the conversation was changed.`,
		matches: 'matches',
		differs: 'differs',
		files: 'It ran on other files than the receipt says.',
		after: 'The files after it are others.',
		output: 'It printed something else:',
		exitCode: (told: number, here: number) => `It ended with ${here}, not with ${told}.`,
		stop: 'Stop',
		close: 'Close',
		aside: 'Times and durations in what is printed are not compared.'
	},
	shared: {
		opening: 'Opening the shared session…',
		banner: 'A shared session. Nothing of it runs until you say so.',
		replay: 'Replay',
		continue: 'Continue from here',
		play: 'Play',
		pause: 'Pause',
		step: (now: number, count: number) => `${now} of ${count}`,
		files: 'Files in this share',
		pick: 'Choose a file to read it.',
		pickChanged: 'Choose a path to see what the session made of it.',
		damaged: 'What the share holds here is damaged. Ask for a new link.',
		view: 'How it is shown',
		noFiles: 'This share carries no files; the session changed none.',
		changed: 'Changed in this session',
		carried: 'As they were',
		kinds: { added: 'added', modified: 'changed', removed: 'removed', brought: 'changed' },
		diff: 'Difference',
		whole: 'Whole text',
		base: (repository: string, commit: string) =>
			`Everything else is as in ${repository} at ${commit}; it is fetched from there when you continue.`,
		beforeInBase: 'What stood here before is in the repository, not in this share; this is the whole text.',
		removedFromBase: 'The session removed it. What stood in it is in the repository, not in this share.'
	}
};

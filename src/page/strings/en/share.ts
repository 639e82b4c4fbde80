/** Strings of the share dialog and a shared session. */
export const sharing = {
	share: {
		title: 'Share this session',
		intro: 'Anyone with the link can play this session, read its files and continue it in their own tab.',
		contents: 'What the link carries',
		collecting: 'Preparing…',
		conversation: (count: number) => `The conversation: ${count} entries`,
		files: (count: number, size: string) => (count === 1 ? `1 file, ${size}` : `${count} files, ${size}`),
		base: (url: string) => `On top of ${url}`,
		checkpoints: (count: number) =>
			count === 1 ? 'The files as they are now, step by step' : `The files at ${count} checkpoints, deleted ones too`,
		commands: (count: number) =>
			count === 1 ? '1 command that anyone can verify' : `${count} commands that anyone can verify`,
		history: 'Include every checkpoint, and commands that anyone can verify',
		size: (size: string) => `${size} in all, compressed`,
		secrets: 'This looks like a secret and won’t be shared unless you select it:',
		secretAt: (kind: string, where: string) => `${kind} in ${where}`,
		inline: 'The whole session is in the link. No server stores it, so you can’t delete it later.',
		stored: 'Encrypted in this tab before upload. Only the link has the key. You can delete it any time.',
		expiry: 'Expires after',
		days: (days: number) => (days === 1 ? '1 day' : `${days} days`),
		viewOnly: 'Hide the Continue button (people can still copy the session)',
		create: 'Create link',
		creating: 'Encrypting…',
		link: 'Share link',
		copy: 'Copy',
		copied: 'Copied',
		close: 'Close',
		until: (date: string) => `Works until ${date}.`,
		unavailable: 'Sharing isn’t available on this site.',
		readOnly: 'This session is open in another tab. Use it here to create links.',
		earlier: 'Links that still work',
		made: 'Shares you made',
		copyLink: (title: string, id: string) => `Copy the link to ${title} (${id})`,
		delete: 'Delete',
		deleteLink: (title: string, id: string) => `Delete the link to ${title} (${id})`,
		file: 'Or keep it as a file',
		fileWhy:
			'It has everything the link has, and opens from the front page of any browser. A passphrase encrypts it; a forgotten one can’t be recovered.',
		passphrase: 'Passphrase (optional)',
		saveFile: 'Save file',
		savingFile: 'Saving…',
		deleted: 'Link deleted'
	},
	sessionFile: {
		title: 'This session is encrypted',
		why: (name: string) => `Enter the passphrase of ${name}.`,
		label: 'Passphrase',
		wrong: 'Wrong passphrase, or the file is damaged.',
		open: 'Open',
		opening: 'Opening…',
		cancel: 'Cancel'
	},
	verify: {
		button: 'Verify',
		buttonOf: (count: number) => (count === 1 ? 'Verify 1 command' : `Verify ${count} commands`),
		title: 'Verify this session',
		why: (count: number) =>
			`Runs the session’s ${count === 1 ? 'command' : `${count} commands`} again in a separate computer in this tab and compares the results. It asks before it uses the network.`,
		run: (count: number) => (count === 1 ? 'Run 1 command' : `Run ${count} commands`),
		preparing: 'Copying the files…',
		running: (now: number, count: number) => `Command ${now} of ${count}`,
		done: (matches: number, count: number) =>
			matches === count ? `Verified all ${count} commands.` : `Verified ${matches} of ${count} commands.`,
		partly: (count: number) => `${count} more ${count === 1 ? 'matches' : 'match'} as far as their receipts go.`,
		without: (count: number) =>
			count === 1
				? '1 command has no receipt, so it can’t be verified.'
				: `${count} commands have no receipt, so they can’t be verified.`,
		elsewhere: (count: number) =>
			count === 1
				? '1 command ran on a machine and has another result in a tab.'
				: `${count} commands ran on a machine and have other results in a tab.`,
		verdicts: {
			match: 'verified',
			partial: 'verified in part',
			differs: 'not verified',
			none: 'no receipt',
			elsewhere: 'ran on a machine'
		},
		problems: {
			altered_command: 'The conversation shows a different command than the receipt.',
			altered_output: 'The conversation shows different output than the receipt.',
			altered_exit_code: 'The conversation shows a different exit code than the receipt.',
			not_shown: 'The receipt has this command, but the conversation doesn’t.',
			ambiguous: 'Several steps have this id, so it’s unclear which one the receipt is for.',
			out_of_order: 'The receipt has it at a different place than the conversation.',
			other_chain: 'The receipt belongs to another session, or an earlier step was removed, added or changed.',
			no_files: 'The share doesn’t include the files it ran on, so it wasn’t run.',
			files_before: 'The files differ from the shared ones.',
			files_after: 'The files afterwards differ from the receipt.',
			output: 'Its output differs:',
			exit_code: 'Its exit code differs.'
		},
		gaps: {
			no_receipt: 'This command has no receipt.',
			older_kind: 'Its receipt is of an older, weaker kind that isn’t tied to the session and the steps before it.',
			no_files_after: 'The receipt doesn’t say which files it left.',
			other_machine: 'It ran on a machine, with programs that this tab may not have, and has another result here.'
		},
		exitCode: (recorded: number, here: number) => `Exit code ${here} instead of ${recorded}.`,
		stop: 'Stop',
		close: 'Close',
		aside: 'Times and durations in the output aren’t compared.'
	},
	landing: {
		kind: 'Shared session',
		summary: 'Summary',
		facts: 'Result',
		testsPass: 'Tests pass',
		testsFail: 'Tests fail',
		commands: (count: number) => (count === 1 ? '1 command' : `${count} commands`),
		verified: (matches: number, count: number) => `Verified ${matches} of ${count} commands`,
		verifiedHere: 'in your tab',
		details: 'Details',
		work: (seconds: string, steps: number) => `${seconds} seconds, ${steps === 1 ? '1 step' : `${steps} steps`}`,
		note: 'No account needed. Playing runs nothing: it shows what happened. Continuing makes your own copy, in a computer inside this tab. The server can’t read the session.',
		playReplay: 'Play the replay',
		allFiles: 'All files',
		noText: 'Binary file, not compared',
		of: (length: string) => `of ${length}`,
		end: 'End',
		speed: (times: number) => `Speed ${times}×`,
		files: 'Files shown',
		atMoment: 'At this moment',
		result: 'Result',
		following: 'Following the replay',
		follow: 'Follow the replay',
		instructions: 'Other instructions',
		tryIt: 'Try it differently from this moment…',
		fromEnd: 'Runs in your own tab, with these changes',
		runHere: 'Run in your tab',
		runFrom: (time: string) => `Run from ${time}`
	},
	shared: {
		opening: 'Opening the shared session…',
		replay: 'Replay',
		continue: 'Continue in your tab',
		play: 'Play',
		pause: 'Pause',
		step: (now: number, count: number) => `${now} of ${count}`,
		conversation: 'Conversation',
		verbatim: 'What the model reads',
		reads:
			'Everything of the conversation that goes to the model when you continue, word for word. Project instructions and skills are files of the project; they’re read only if you trust them.',
		todo: 'Its task list',
		files: 'Files in this share',
		pick: 'Choose a file to read it.',
		pickChanged: 'Choose a file to see its changes.',
		damaged: 'This part of the share is damaged. Ask for a new link.',
		view: 'View',
		noFiles: 'No files: the session changed none.',
		changed: 'Changed in this session',
		carried: 'Unchanged',
		kinds: { added: 'added', modified: 'changed', removed: 'removed', brought: 'changed' },
		diff: 'Changes',
		whole: 'Whole file',
		base: (repository: string, commit: string) =>
			`All other files are those of ${repository} at ${commit}, fetched from there when you continue.`,
		beforeInBase: 'The version before is in the repository, not in this share, so this shows the whole file.',
		removedFromBase: 'The session removed it. Its content is in the repository, not in this share.'
	}
};

/** Strings of the share dialog and a shared session. */
export const sharing = {
	share: {
		title: 'Share this session',
		intro: 'Anyone with the link can replay the session, read its files and continue in a computer of their own.',
		contents: 'What the link carries',
		collecting: 'Preparing…',
		conversation: (count: number) => `The conversation: ${count} entries`,
		files: (count: number, size: string) => (count === 1 ? `1 file, ${size}` : `${count} files, ${size}`),
		base: (url: string) => `On top of ${url}`,
		checkpoints: (count: number) =>
			count === 1 ? 'The files as they are now, step by step' : `The files at ${count} checkpoints, deleted ones too`,
		commands: (count: number) =>
			count === 1 ? 'A receipt of 1 command, to be verified' : `A receipt of ${count} commands, to be verified`,
		history: 'With each checkpoint and a receipt of the commands',
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
		unavailable: 'Sharing is not available on this site.',
		readOnly: 'Links are made in the tab that has the session. Take it over to make one here.',
		earlier: 'Links that still work',
		made: 'Shares you made',
		copyLink: (title: string, id: string) => `Copy the link to ${title} (${id})`,
		delete: 'Delete',
		deleteLink: (title: string, id: string) => `Delete the link to ${title} (${id})`,
		file: 'Or keep it as a file',
		fileWhy:
			'It holds the same as the link, and opens from the front page, here or in another browser. With a passphrase it is encrypted; a forgotten passphrase cannot be recovered.',
		passphrase: 'Passphrase (optional)',
		saveFile: 'Save file',
		savingFile: 'Saving…',
		deleted: 'Link deleted'
	},
	sessionFile: {
		title: 'This session is encrypted',
		why: (name: string) => `Give the passphrase that ${name} was saved with.`,
		label: 'Passphrase',
		wrong: 'Wrong passphrase, or the file is damaged.',
		open: 'Open',
		opening: 'Opening…',
		cancel: 'Cancel'
	},
	verify: {
		button: 'Verify',
		title: 'Run its commands again',
		why: (count: number) =>
			`This share has a receipt of ${count === 1 ? '1 command' : `${count} commands`}. The author of the session wrote them; here they run in a computer in this tab that is discarded afterwards. You are asked before they reach the network.`,
		run: (count: number) => (count === 1 ? 'Run 1 command' : `Run ${count} commands`),
		preparing: 'Bringing the files there…',
		running: (now: number, count: number) => `Command ${now} of ${count}`,
		done: (matches: number, count: number) =>
			matches === count
				? `All ${count} match the receipt and what the conversation shows.`
				: `${matches} of ${count} match the receipt and what the conversation shows.`,
		partly: (count: number) => `${count} more ${count === 1 ? 'is' : 'are'} right as far as the receipt goes.`,
		without: (count: number) =>
			count === 1
				? '1 command of the conversation has no receipt, so nothing is known of it.'
				: `${count} commands of the conversation have no receipt, so nothing is known of them.`,
		verdicts: {
			match: 'verified',
			partial: 'verified in part',
			differs: 'not verified',
			none: 'no receipt'
		},
		problems: {
			altered_command: 'The conversation shows another command than the receipt is about.',
			altered_output: 'The conversation shows another output than the receipt is about.',
			altered_exit_code: 'The conversation shows another exit code than the receipt is about.',
			not_shown: 'The receipt has this step, and the conversation shows no such command.',
			ambiguous: 'Several calls or steps share this id, so it is not clear which one the receipt is about.',
			out_of_order: 'The receipt has it in another place than the conversation.',
			other_chain:
				'The receipt of this step belongs to another session, or a step before it was taken out, added or changed.',
			no_files: 'The share does not carry the files it ran on, so it was not run.',
			files_before: 'The files differ from the shared ones.',
			files_after: 'The files after it are others than the receipt says.',
			output: 'It printed something else:',
			exit_code: 'It ended with another exit code.'
		},
		gaps: {
			no_receipt: 'The share has no receipt for this command.',
			older_kind:
				'Its receipt is of an older, weaker kind: it does not bind the step to its session and to the steps before it.',
			no_files_after: 'The receipt does not say which files it left.'
		},
		exitCode: (recorded: number, here: number) => `It ended with ${here}, not with ${recorded}.`,
		stop: 'Stop',
		close: 'Close',
		aside: 'Times and durations in what is printed are not compared.'
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
		note: 'No account. Playing runs nothing: it shows what happened. Continuing makes your own copy, in a computer inside this tab. The server cannot read what the link holds.',
		playReplay: 'Play the replay',
		allFiles: 'All files',
		noText: 'This file has no text to compare.',
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
			'This is everything of the conversation that the model is sent when you continue, word for word. Project instructions and skills are files of the project; they are read only when you trust them.',
		todo: 'The task list it is reminded of',
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

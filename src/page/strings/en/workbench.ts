/** Strings of the workbench, the checkpoints and the errors’ frame. */
export const workbench = {
	tabs: {
		agent: 'Agent',
		files: 'Files',
		changes: 'Changes',
		terminal: 'Terminal',
		preview: 'Preview',
		network: 'Network',
		surface: 'Workbench'
	},
	files: {
		tree: 'Project tree',
		loading: 'Listing files…',
		more: (count: number) => `${count} more …`,
		empty: 'There is nothing here yet. The agent, the terminal or you can make the first one.',
		tabs: 'Open files',
		tabUnsaved: (name: string) => `${name}, not saved`,
		close: (name: string) => `Close ${name}`,
		closeQuestion: (name: string) => `Save changes to ${name}?`,
		closeWhy: 'Your changes are lost if you close it without saving.',
		discard: 'Don’t save',
		cancel: 'Cancel',
		saveAndClose: 'Save and close',
		conflict: 'Conflict',
		compare: 'Compare',
		compareLabel: 'From the new version to yours',
		removedBeneath: 'This file was removed while you were editing.',
		discardMine: 'Discard mine',
		pick: 'Choose a file to read or edit it.',
		opening: 'Opening…',
		save: 'Save',
		saved: 'saved',
		unsaved: 'not saved',
		saving: 'saving…',
		back: 'All files',
		binary: (size: string) => `This is a binary file of ${size}. It is kept as it is; the terminal can work with it.`,
		tooLarge: (size: string) => `This file has ${size}. The editor opens up to 1 MB; use less or head in the terminal.`,
		image: (size: string) => `Image, ${size}`,
		gone: 'This file was removed.',
		changedBeneath: 'This file changed while you were editing.',
		reload: 'Use the new version',
		keepMine: 'Keep mine',
		modified: 'changed',
		newFile: 'New file',
		newPath: 'Path of the new file',
		create: 'Create'
	},
	changes: {
		empty: 'Nothing differs from what was imported.',
		loading: 'Comparing…',
		list: 'Changed paths',
		more: (count: number) => (count === 1 ? 'Show 1 more path' : `Show more of ${count} other paths`),
		unified: 'Unified',
		split: 'Side by side',
		view: 'Diff layout',
		revertFile: 'Revert the whole path',
		revertHunk: 'Revert this part',
		commit: 'Commit',
		commitText: 'What this commit does',
		committed: (id: string) => `Committed as ${id}.`,
		patch: 'Save patch',
		zip: 'Save zip',
		binary: 'A binary file; there is nothing to show line by line.',
		same: 'Both sides are equal again.',
		kinds: { added: 'added', modified: 'changed', removed: 'removed' },
		total: (files: number, added: number, removed: number) =>
			`${files === 1 ? '1 path' : `${files} paths`} · +${added} −${removed}`
	},
	follow: {
		on: 'Following the agent',
		off: 'Follow',
		onTitle: 'Shows the file or command the agent is on. Choose something yourself to stop.',
		offTitle: 'Show the file or command the agent is on'
	},
	terminal: {
		agent: 'Last command',
		noCommand: 'No commands yet',
		shells: 'Shells',
		shell: (number: number) => `Shell ${number}`,
		leave: 'Alt+M leaves it for the message box, Alt and a digit for another tab.',
		open: 'Open another shell',
		close: (number: number) => `End shell ${number}`,
		loading: 'Starting a shell…',
		ended: (code: number) => `The shell ended with ${code}.`,
		restart: 'Start again',
		earlier: '– from before the reload; a new shell begins here –',
		collapse: 'Hide the shell',
		expand: 'Show the shell'
	},
	checkpoints: {
		label: 'Checkpoints',
		now: 'Now',
		present: 'Before going back',
		cleared: 'Before a new conversation',
		fork: 'Fork',
		forkHere: 'Fork from here',
		go: 'Go back to here',
		stay: 'Back to now',
		question: (time: string, label: string) => `${time} · ${label}. Nothing has changed yet.`,
		busy: 'Stop the agent to go back.',
		step: (index: number, count: number) => `Step ${index} of ${count}`,
		failed: (command: string) => `${command} failed`,
		passed: (command: string) => `${command} passed`,
		value: (label: string, index: number, count: number) => `${label}, ${index} of ${count}`,
		forkFrom: (title: string) => `${title} (fork)`
	},
	trust: {
		title: 'This repository has instructions for agents',
		intro: 'They would become part of what the agent is told. Nothing of them is used until you decide.',
		use: 'Use them',
		ignore: 'Leave them out',
		script: (name: string) => `script “${name}”`,
		instructions: 'instructions',
		skill: 'skill',
		command: 'command'
	},
	errors: {
		dismiss: 'Dismiss',
		again: 'Try again',
		home: 'Back to the start',
		unknown: 'Something went wrong.',
		pause: (wait: string) => `Wait ${wait}, then send again.`,
		unknownStep: 'Try again; if it stays so, reload the page. Nothing that was saved is lost.'
	},
	engine: {
		snapshot:
			'This browser shares no memory with the sandbox, so each program works on a copy of the files. Commands, Node, git and search run. Programs that wait for another one (execSync, spawnSync) or read standard input at once get an error that says so, and running programs see each other’s changes only when they pause.',
		isolated:
			'This browser window has no shared memory, so programs cannot run here. Serve the page with its own server, or use a current Chromium, Firefox or Safari.',
		unlisted:
			'This project runs on WebContainer. What its programs fetch from the network does not pass this page, so it is not in the list of requests.'
	},
	time: {
		now: 'just now',
		minutes: (count: number) => `${count} min ago`,
		hours: (count: number) => (count === 1 ? '1 hour ago' : `${count} hours ago`),
		yesterday: 'yesterday'
	}
};

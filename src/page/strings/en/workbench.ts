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
		empty: 'No changes yet',
		loading: 'Comparing…',
		list: 'Changed files',
		more: (count: number) => (count === 1 ? 'Show 1 more file' : `Show more of ${count} other files`),
		unified: 'Unified',
		split: 'Side by side',
		view: 'Diff layout',
		revertFile: 'Revert file',
		revertHunk: 'Revert',
		commit: 'Commit',
		commitText: 'Commit message',
		committed: (id: string) => `Committed as ${id}.`,
		patch: 'Save patch',
		zip: 'Save zip',
		binary: 'A binary file; there is nothing to show line by line.',
		same: 'No changes left in this file',
		kinds: { added: 'added', modified: 'changed', removed: 'removed' },
		total: (files: number, added: number, removed: number) =>
			`${files === 1 ? '1 file' : `${files} files`} · +${added} −${removed}`
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
		ended: (code: number) => `Shell exited with ${code}`,
		restart: 'Start again',
		earlier: '– earlier session above –',
		collapse: 'Hide the shell',
		expand: 'Show the shell'
	},
	moment: {
		files: 'Files at this moment',
		none: 'No files yet.',
		kinds: { added: 'added in this step', modified: 'changed in this step', removed: 'removed in this step' },
		inStep: 'in this step',
		failed: 'These files could not be read.',
		terminal: 'Terminal at this moment',
		agent: 'Agent',
		output: 'Output of the last command',
		noCommand: 'No command has run yet.',
		asOf: (time: string) => `as it was at ${time}`,
		lastCommand: 'the last command before this moment',
		forkBefore: (label: string) => `Fork before ${label}`,
		tryIt: 'Try it differently…',
		run: 'Fork and run',
		later: 'later',
		previous: 'Earlier step',
		next: 'Later step',
		lane: (title: string) => `Fork: ${title}`,
		main: 'main',
		thisFork: 'This fork',
		lanes: 'Forks of this session',
		history: 'History',
		steps: (count: number) => (count === 1 ? '1 step' : `${count} steps`)
	},
	/** Forks of a session, as lanes of its history. */
	lanes: {
		label: 'Forks',
		main: 'Main',
		thisFork: 'This fork'
	},
	checkpoints: {
		label: 'Checkpoints',
		live: 'Live',
		now: 'Now',
		present: 'Now, before going back',
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
		intro: 'They would become part of the agent’s instructions. None of them is used until you decide.',
		use: 'Use them',
		ignore: 'Leave them out',
		script: (name: string) => `script “${name}”`,
		instructions: 'instructions',
		skill: 'skill',
		command: 'command'
	},
	hooks: {
		title: 'This repository runs commands by itself',
		changed: 'The commands that this repository runs by itself have changed',
		intro: 'They run while the agent works, and may do what its own commands may. None runs until you allow it.',
		allow: 'Run them',
		ignore: 'Leave them off',
		openFile: 'Open the file',
		when: {
			before_tool: (tools: string | null) => `before ${tools ?? 'each step'}`,
			after_tool: (tools: string | null) => `after ${tools ?? 'each step'}`,
			message: () => 'with each message',
			end: () => 'before the agent ends'
		},
		section: 'Commands that this project runs by itself',
		none: 'None. A project names them in .sandglass/settings.json.',
		on: 'They run while the agent works.',
		off: 'They are off.',
		turnOn: 'Turn on',
		turnOff: 'Turn off'
	},
	errors: {
		dismiss: 'Dismiss',
		again: 'Try again',
		switchModel: 'Switch model',
		sameKey: 'Same key',
		yourKey: (provider: string) => `Your ${provider} key`,
		serverKey: (provider: string) => `This server’s ${provider} key`,
		/** Ratio to the present model: 0.2 is a fifth. */
		costOf: (ratio: number) =>
			ratio < 0.95
				? `about ${Math.round(ratio * 100)} % of the cost`
				: ratio <= 1.05
					? 'same cost'
					: `about ${ratio.toFixed(1)} times the cost`,
		allModels: 'All models…',
		addKey: 'Add a key',
		openSettings: 'Open settings',
		details: 'Details',
		continueTask: 'Continue the task where you stopped.',
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

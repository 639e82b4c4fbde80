import { composer } from './composer.ts';
import { explained } from './errors.ts';
import { fork } from './fork.ts';
import { network } from './network.ts';
import { palette } from './palette.ts';
import { preview } from './preview.ts';
import { settings } from './settings.ts';

/** Every sentence the page shows, in English. Other languages have the same shape. */
export const en = {
	product: 'Sandglass',
	lead: 'A coding agent whose whole computer is this tab. Import a repository, give it a task, watch every step, take it back, share it by link.',
	crashed: (reason: string) =>
		`The computer in this tab stopped (${reason}). It starts again at the next command, with the files as they were.`,
	noProject: 'No project is open. Import a repository first.',
	front: {
		gitUrl: 'Git URL',
		gitUrlPlaceholder: 'https://github.com/owner/repository',
		import: 'Import',
		openFolder: 'Open folder',
		uploadZip: 'Upload zip',
		demo: 'Watch the demo',
		template: 'Start from a template',
		dropHere: 'Drop a folder or a zip to open it here',
		demoNote: 'No key, no account: a scripted model, everything else real.',
		facts: [
			['Nothing to install', 'A shell, Node, git and search run in the page itself.'],
			['Your code stays', 'It stays in the tab. Only what the model reads goes to the model, and you see it.'],
			['Every step is kept', 'Each one can be undone, replayed, forked and shared.']
		] as const,
		recent: 'Recent sessions',
		noRecent: 'Sessions you open are kept in this browser and listed here.',
		loadingRecent: 'Looking for earlier sessions…',
		remove: 'Delete',
		removeQuestion: (title: string) =>
			`Delete “${title}”? Its files and its conversation are removed from this browser. This cannot be undone.`,
		keep: 'Keep it',
		changed: (count: number) => (count === 1 ? '1 file changed' : `${count} files changed`)
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
		why: 'Whoever runs it set one, so that nobody else uses its keys. It is kept in a cookie that scripts cannot read.',
		label: 'Token',
		refused: 'That is not the token. Check it and try again.',
		open: 'Open',
		without: 'Go on without'
	},
	gitToken: {
		title: (host: string) => `${host} asks for a token`,
		why: 'This page sends it to that server only, with git’s own requests, and forgets it with the project. The computer in this tab never sees it, but git there can fetch and push with it.',
		user: 'User name, if the server wants one',
		label: 'Token or password',
		refused: 'The server did not accept that. Check it and try again.',
		use: 'Use token',
		without: 'Go on without'
	},
	egress: {
		title: 'Network',
		question: (tool: string, host: string) => `${tool} wants to reach ${host}.`,
		why: 'Nothing leaves the computer in this tab unless you allow it.',
		once: 'Allow this request',
		session: 'Allow this host',
		deny: 'Refuse'
	},
	header: {
		home: 'All sessions',
		cost: 'Cost',
		costTitle: (input: string, output: string) => `${input} tokens read, ${output} written in this session`,
		context: 'Context',
		contextTitle: (used: string, window: string) => `${used} of ${window} tokens of the model’s memory are in use`,
		contextUnknown: 'Known after the model’s first answer',
		compact: 'Compact now',
		model: 'Model',
		mode: 'Mode',
		share: 'Share',
		settings: 'Settings',
		theme: { system: 'Theme: as the system', light: 'Theme: light', dark: 'Theme: dark' },
		scripted: 'Scripted demo'
	},
	modes: {
		plan: ['plan', 'Reads and proposes, changes nothing'],
		ask: ['ask', 'Asks before each change and command'],
		'auto-edit': ['auto-edit', 'Edits freely, asks before commands'],
		full: ['full', 'Asks nothing'],
		fork: ['on a fork', 'Works on a copy that you approve at the end']
	} as const,
	timeline: {
		label: 'Timeline',
		emptyTitle: 'What shall be done?',
		empty: 'Describe a change, ask about the code, or let it run the tests. It starts with reading.',
		suggestions: [
			'Explain how this project is put together',
			'Run the tests and fix what fails',
			'Find the oldest TODO and do it'
		],
		thinking: 'Thinking…',
		thought: (seconds: string) => `Thought for ${seconds} s`,
		you: 'You',
		steered: 'You, while it worked',
		latest: 'Latest',
		retry: (attempt: number, seconds: string) =>
			`The model did not answer; trying again in ${seconds} s (attempt ${attempt}).`,
		compacted: (before: string, after: string) => `Earlier conversation summed up: ${before} → ${after} tokens.`,
		compactFailed: 'The earlier conversation could not be summed up; it stays as it is.',
		showDropped: 'Show what was dropped',
		hideDropped: 'Hide it',
		summary: 'Summary the model reads instead',
		dropped: (count: number) => (count === 1 ? '1 message it no longer reads' : `${count} messages it no longer reads`),
		droppedGone: 'This log does not have what was dropped.',
		roles: { user: 'You', assistant: 'Agent', tool: 'Results', system: 'Instructions', developer: 'Instructions' },
		earlierSummary: 'Earlier summary',
		calls: (name: string) => `called ${name}`,
		changeLimits: 'Change the limits',
		priceUnknown: 'price unknown',
		modelChanged: (model: string) => `From here on: ${model}`,
		todoReminder: 'The task list was put before the model again.',
		/** By the agent's own word for what comes next; other labels stand for themselves. */
		checkpoints: { turn: 'Before this step', command: 'Before this command', Imported: 'As imported' },
		goBack: 'Back to here',
		turnCost: (tokens: string, cost: string) => `${tokens} tokens · ${cost}`,
		ended: {
			end_turn: '',
			max_tokens: 'The answer reached the model’s length limit. Ask it to go on.',
			max_iterations: 'The limit of rounds for one task is reached. Ask it to go on.',
			/** The event before it says which limit. */
			turn_limit: '',
			failure_threshold: 'Too many tool calls failed in a row. Say what it should do differently.',
			permission_denied: 'Ended because you denied a step. Say how to go on.',
			aborted: 'Stopped. What waits in the queue is kept.',
			content_filter: 'The provider’s filter held the answer back. Put the task in other words.',
			error: 'The run ended with an error.'
		},
		loop: 'The agent repeats itself.',
		diagnostics: (count: number) => (count === 1 ? '1 problem' : `${count} problems`),
		subagent: (name: string) => `Helper ${name}`
	},
	tool: {
		preparing: 'writing…',
		running: 'running',
		waiting: 'asks',
		failed: 'failed',
		exit: (code: number) => `exit ${code}`,
		seconds: (seconds: string) => `${seconds} s`,
		noOutput: 'No output.',
		more: (lines: number) => `Show ${lines} more lines`,
		less: 'Show less',
		lines: (from: number, to: number) => `${from}–${to}`,
		matches: (count: number) => (count === 1 ? '1 line' : `${count} lines`),
		expand: 'Show the details',
		arguments: 'Arguments',
		result: 'Result',
		copy: 'Copy',
		copied: 'Copied'
	},
	permission: {
		group: 'Permission',
		once: 'Allow once',
		session: 'Allow for this session',
		always: 'Always allow',
		deny: 'Deny',
		explain: 'Say why not…',
		explanation: 'What it should do instead',
		tell: 'Refuse and tell it',
		back: 'Back',
		asked: (agent: string) => (agent === 'main' ? 'The agent asks' : `Helper ${agent} asks`),
		decided: {
			allow_once: 'You allowed it once.',
			allow_session: 'You allowed it for this session.',
			allow_always: 'You allowed it always.',
			deny: 'You denied it.',
			deny_explain: 'You refused it and said why.'
		},
		unanswered: 'It was never answered.'
	},
	question: { answer: 'Your answer', reply: 'Answer' },
	composer,
	attention: {
		idle: 'The agent is done.',
		waiting: 'The agent waits for you.',
		closed: 'The session has ended.',
		working: 'The agent is at work.'
	},
	tabs: {
		agent: 'Agent',
		files: 'Files',
		changes: 'Changes',
		terminal: 'Terminal',
		preview: 'Preview',
		network: 'Network',
		surface: 'Workbench'
	},
	network,
	fork,
	settings,
	palette,
	files: {
		tree: 'Project tree',
		loading: 'Listing files…',
		empty: 'There is nothing here yet. The agent, the terminal or you can make the first one.',
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
		changedBeneath: 'It was changed outside the editor while you typed.',
		reload: 'Take that version',
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
	terminal: {
		shells: 'Shells',
		shell: (number: number) => `Shell ${number}`,
		open: 'Open another shell',
		close: (number: number) => `End shell ${number}`,
		loading: 'Starting a shell…',
		ended: (code: number) => `The shell ended with ${code}.`,
		restart: 'Start again',
		earlier: '– from before the reload; a new shell begins here –',
		collapse: 'Hide the shell',
		expand: 'Show the shell'
	},
	preview,
	checkpoints: {
		label: 'Checkpoints',
		start: 'Import',
		now: 'Now',
		present: 'Before going back',
		cleared: 'Before a new conversation',
		fork: 'Fork',
		go: 'Go back to here',
		stay: 'Stay',
		question: (label: string) => `Files and conversation go back to “${label}”. The present is kept as a checkpoint.`,
		busy: 'Stop the agent first; then the files can be put back.',
		value: (label: string, index: number, count: number) => `${label}, ${index} of ${count}`,
		forkFrom: (title: string) => `${title} (fork)`
	},
	share: {
		title: 'Share this session',
		intro: 'Whoever has the link can replay the session, read its files and go on in a computer of their own.',
		contents: 'What the link carries',
		collecting: 'Looking through what would be shared…',
		conversation: (count: number) => `The conversation: ${count} entries`,
		files: (count: number, size: string) => (count === 1 ? `1 file, ${size}` : `${count} files, ${size}`),
		base: (url: string) => `On top of ${url}`,
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
		copyLink: (id: string) => `Copy the address of ${id}`,
		delete: 'Delete',
		deleteLink: (id: string) => `Delete ${id}`,
		deleted: 'The link was deleted; it opens nothing any more.'
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
		unknownStep: 'Try again; if it stays so, reload the page. Nothing that was saved is lost.'
	},
	explained,
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

/** The same shape with any words: texts stay texts, functions keep their parameters, lists their length. */
type Wording<T> = T extends string
	? string
	: T extends (...values: infer Values) => string
		? (...values: Values) => string
		: { readonly [Key in keyof T]: Wording<T[Key]> };

/** What every language has; a sentence that is missing in one is a type error. */
export type Strings = Wording<typeof en>;

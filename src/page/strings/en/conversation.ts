/** Strings of the header and the conversation. */
export const conversation = {
	header: {
		home: 'All sessions',
		forkOf: (title: string) => `Fork of ${title}`,
		fork: 'Fork',
		cost: 'Cost',
		costTitle: (input: string, output: string) => `${input} tokens in, ${output} out`,
		budgetLeft: (left: string) => `${left} left`,
		budgetTitle: (limit: string, left: string) =>
			`${left} of today’s ${limit} left on this server. Resets at midnight UTC.`,
		budgetUnknown: 'This server can’t tell how much of its budget is left right now.',
		context: 'Context',
		contextTitle: (used: string, window: string) => `${used} of ${window} tokens of context used`,
		contextUnknown: 'Shown after the first answer',
		compact: 'Compact now',
		model: 'Model',
		mode: 'Mode',
		share: 'Share',
		settings: 'Settings',
		theme: { system: 'Theme: system', light: 'Theme: light', dark: 'Theme: dark' },
		addKey: 'Add a key…',
		otherModel: 'Other model…',
		scripted: 'Scripted demo'
	},
	modes: {
		plan: ['Plan', 'Reads and proposes, changes nothing'],
		ask: ['Ask first', 'Asks before each change and command'],
		'auto-edit': ['Edit freely', 'Asks before commands only'],
		full: ['Run freely', 'Never asks'],
		fork: ['On a copy', 'You approve the result at the end']
	} as const,
	timeline: {
		chooseSeveral: 'Choose one or more',
		answerWith: (count: number) => (count === 0 ? 'Choose at least one' : `Answer with ${count}`),
		label: 'Timeline',
		emptyTitle: 'What do you want to build or fix?',
		empty: 'Describe a change, ask about the code, or run the tests.',
		suggestions: [
			'Explain how this project is put together',
			'Run the tests and fix what fails',
			'Fix the oldest TODO'
		],
		thinking: 'Thinking…',
		thought: (seconds: string) => `Thought for ${seconds} s`,
		you: 'You',
		steered: 'You, during the task',
		latest: 'Latest',
		find: {
			title: 'Find in the conversation',
			found: 'Found',
			count: (at: number, all: number) => (all === 0 ? 'No results' : `${at} of ${all}`),
			earlier: 'Previous',
			later: 'Next',
			close: 'Close the search'
		},
		foldAll: 'Collapse steps',
		unfoldAll: 'Expand steps',
		retry: (attempt: number, seconds: string) =>
			`No answer from the model. Trying again in ${seconds} s (attempt ${attempt}).`,
		compacted: (before: string, after: string) => `Summarized earlier messages: ${before} → ${after} tokens`,
		hook: (command: string, exitCode: number | null, seconds: string) =>
			`Hook ${command}: ${exitCode === 0 ? 'passed' : exitCode === null ? 'did not finish' : `failed, exit code ${exitCode}`} (${seconds} s)`,
		compactFailed: 'Couldn’t summarize earlier messages. They’re unchanged.',
		showDropped: 'Show what was dropped',
		hideDropped: 'Hide it',
		summary: 'Summary',
		dropped: (count: number) =>
			count === 1 ? '1 message the model no longer reads' : `${count} messages the model no longer reads`,
		droppedGone: 'This session doesn’t have the dropped messages.',
		roles: { user: 'You', assistant: 'Agent', tool: 'Results', system: 'Instructions', developer: 'Instructions' },
		earlierSummary: 'Earlier summary',
		calls: (name: string) => `called ${name}`,
		changeLimits: 'Change limit',
		continue: 'Continue',
		otherModel: 'Choose a model',
		startOver: 'Start over with these files',
		forkedAt: (time: string) => `Forked here at ${time}`,
		modelChanged: (model: string) => `Switched to ${model}`,
		todoReminder: 'Reminded the agent of its task list',
		source: 'As the model reads it',
		unshown: {
			head: 'Only the model would read this',
			kinds: {
				user: 'as a message of yours',
				assistant: 'as its own words',
				call: 'as a call it made',
				result: 'as the result of a call',
				picture: 'a picture',
				summary: 'as the summary of what came before',
				todo: 'as its task list'
			}
		},
		/** By the agent's label for the next step; other labels are displayed unchanged. */
		checkpoints: { turn: 'Before this step', command: 'Before this command', Imported: 'Import' },
		goBack: 'Go back to before this step',
		ended: {
			end_turn: '',
			max_tokens: 'The answer got too long and was cut off.',
			max_iterations: 'The agent reached its step limit.',
			/** The preceding event states which limit. */
			turn_limit: '',
			failure_threshold: 'The agent failed several times in a row and stopped. Tell it what to try instead.',
			permission_denied: 'Stopped because you denied a step. Say what to do instead.',
			aborted: 'Stopped. Your queue is kept.',
			interrupted: 'The page was closed or reloaded here.',
			rewound: 'You went back to this point. Send a message to continue from here.',
			content_filter: 'The provider’s filter blocked this answer. Try rephrasing the task.',
			/** The preceding error states what happened. */
			error: ''
		},
		loop: 'The agent is repeating itself.',
		diagnostics: (count: number) => (count === 1 ? '1 problem' : `${count} problems`),
		subagent: (task: string) => (task === '' ? 'A helper' : `A helper: ${task}`)
	},
	/** Verbs for a step in progress and a finished one; the subject follows. */
	step: {
		shell: ['Running', 'Ran'],
		input: ['Checking on running commands', 'Checked on running commands'],
		read: ['Reading', 'Read'],
		edit: ['Editing', 'Edited'],
		write: ['Writing', 'Tried to write'],
		written: ['Writing', 'Wrote'],
		patch: ['Editing', 'Edited'],
		search: ['Searching for', 'Searched for'],
		list: ['Listing', 'Listed'],
		todo: ['Updating the task list', 'Updated the task list'],
		agent: ['Working with a helper:', 'Worked with a helper:'],
		ask: ['Asking you:', 'Asked you:'],
		web: ['Opening', 'Opened'],
		preview: ['Using the preview:', 'Used the preview:'],
		/** A picture of the preview in the conversation. */
		picture: 'Picture of the preview',
		other: ['Using', 'Used'],
		reads: (files: number, searches: number) =>
			[
				files === 0 ? '' : files === 1 ? 'Read 1 file' : `Read ${files} files`,
				searches === 0
					? ''
					: files === 0
						? `Searched ${searches} times`
						: searches === 1
							? 'searched once'
							: `searched ${searches} times`
			]
				.filter(Boolean)
				.join(', '),
		where: (path: string) => `In ${path}`,
		tests: (failed: number, passed: number) =>
			failed > 0 ? `${failed} of ${failed + passed} failed` : `${passed} passed`
	} as const,
	resend: {
		edit: 'Edit and resend',
		again: 'Try again on a fork',
		label: 'Edited message',
		why: 'Starts a fork before this message. This session stays as it is.',
		send: 'Fork and run',
		cancel: 'Cancel'
	},
	/** Outcome of a task. */
	task: {
		worked: (seconds: string) => `Worked for ${seconds} s`,
		answered: (seconds: string) => `Answered in ${seconds} s`,
		stoppedAfter: (seconds: string) => `Stopped after ${seconds} s`,
		steps: (count: number) => (count === 1 ? '1 step' : `${count} steps`),
		allowed: (count: number) => `${count} allowed by you`,
		tokens: (count: string) => `${count} tokens`,
		summary: 'Task summary',
		done: 'Done',
		stopped: 'Stopped before the end',
		testsPass: 'Done, all tests pass',
		testsFail: (count: number) => (count === 1 ? 'Done, 1 test fails' : `Done, ${count} tests fail`),
		files: 'Files',
		tests: 'Tests',
		passed: (count: number) => `${count} pass`,
		failed: (count: number) => `${count} fail`,
		failedBefore: (count: number) => `${count} failed before`,
		time: 'Time',
		cost: 'Cost',
		more: (count: number) => (count === 1 ? '1 more file' : `${count} more files`),
		review: 'Review changes',
		commit: 'Commit…',
		share: 'Share',
		undoAll: 'Undo all…'
	},
	tool: {
		preparing: 'Writing…',
		queued: 'queued',
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
		fold: 'Hide the details',
		openFile: 'Open the file',
		copyText: 'Copy the text',
		copyLink: 'Copy the link to this step',
		copied: 'Copied',
		notCopied: 'Your browser blocked copying.',
		code: 'Code',
		copyCode: 'Copy'
	},
	permission: {
		group: 'Permission',
		allow: 'Allow',
		next: { apply: 'Apply', retry: 'Allow and run again', run: 'Run for real' },
		scope: 'How long',
		once: 'Once',
		session: 'This session',
		always: 'Always',
		covers: {
			path: 'Writing to',
			host: 'Reaching',
			input: 'Typing exactly this:',
			git: 'Recording commits and branches',
			server: 'Commands that keep running'
		},
		effects: {
			ran: (exitCode: number) => `It ran on trial and ended with exit code ${exitCode}. Nothing has changed yet.`,
			timedOut: 'It ran on trial until its time limit. Nothing has changed yet.',
			hosts: 'It tried to reach',
			servers: 'It starts a server',
			port: (port: number) => `port ${port}`,
			leftRunning: 'It leaves running',
			signals: 'It tried to signal',
			unnamed: 'It was refused something that can’t be named here.',
			files: 'It changes',
			kinds: { added: 'new', modified: 'changed', removed: 'removed' },
			more: (count: number) => (count === 1 ? '1 more file in' : `${count} more files in`),
			count: (count: number) => (count === 1 ? '1 file in' : `${count} files in`)
		},
		deny: 'Deny',
		explain: 'Or tell it what to do instead…',
		explanation: 'What it should do instead',
		tell: 'Deny and send',
		asked: {
			main: {
				write: 'Let the agent make this edit?',
				execute: 'Let the agent run this command?',
				network: 'Let the agent reach the network?',
				other: 'Let the agent do this?'
			},
			helper: {
				write: 'Let a helper make this edit?',
				execute: 'Let a helper run this command?',
				network: 'Let a helper reach the network?',
				other: 'Let a helper do this?'
			}
		},
		remembers: 'Remembered',
		decided: {
			allow_once: 'You allowed it once.',
			allow_session: 'You allowed it for this session.',
			allow_always: 'You allowed it always.',
			deny: 'You denied it.',
			deny_explain: 'You denied this and said what to do instead'
		},
		unanswered: 'Not answered',
		settled: 'No answer was needed: a change of mode or rules decided it.'
	},
	question: { answer: 'Your answer', reply: 'Answer' },
	attention: {
		idle: 'The agent is done.',
		waiting: 'The agent is waiting for you.',
		closed: 'The session has ended.',
		working: 'The agent is working.'
	}
};

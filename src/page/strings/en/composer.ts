/** Strings around the message box. */
export const composer = {
	message: 'Message',
	placeholder: 'Ask for a change…',
	placeholderWorking: 'Steer the agent, or queue the next task…',
	placeholderWaiting: 'Answer, or queue the next task…',
	send: 'Send',
	stop: 'Stop',
	queueUp: 'Queue',
	queueTitle: 'Run after this task (Alt+Enter)',
	addFile: 'Mention a file',
	status: 'Agent',
	states: { idle: 'Ready', working: 'Working', waiting: 'Waiting for you', closed: 'Stopped' },
	waitingForKey: 'Waiting for a key',
	queue: 'Queue',
	steering: 'Sends after this step',
	queued: 'queued',
	remove: 'Remove from queue',
	edit: 'Edit',
	sendNow: 'Send now',
	sendNowTitle: 'After the current step, before the rest of the queue',
	held: 'Not sent yet. Messages here are sent after the next task.',
	removed: 'Message removed from the queue.',
	goneFromQueue: 'The agent already has this message.',
	pictures: 'Images',
	picture: (number: number) => `Image ${number}`,
	removePicture: (number: number) => `Remove image ${number}`,
	brokenPicture: (name: string) => `${name === '' ? 'The image' : `“${name}”`} is too large, even after resizing.`,
	attach: 'Attach files',
	attachments: 'Attached files',
	attachedFiles: 'Attached files:',
	attaching: (count: number) => (count === 1 ? 'Adding a file…' : `Adding ${count} files…`),
	attached: (path: string) => `${path} is attached.`,
	removeAttachment: (name: string) => `Remove ${name}`,
	attachmentRemoved: (path: string) => `${path} was removed.`,
	attachmentTooLarge: (name: string, size: string, limit: string) =>
		`${name === '' ? 'That file' : `“${name}”`} is ${size}. Attach files up to ${limit}.`,
	attachmentUnreadable: (name: string) =>
		`${name === '' ? 'That file' : `“${name}”`} couldn’t be read. If it’s a folder, attach it as a zip.`,
	tooManyAttachments: (name: string, limit: number) =>
		`${name === '' ? 'A file' : `“${name}”`} was left out: a message takes up to ${limit} files.`,
	noAttachmentFolder: (folder: string) =>
		`Attached files go into the folder “${folder}”, but this project has a file or link of that name.`,
	commands: 'Commands',
	command: {
		compact: 'Summarize earlier messages to free up context',
		clear: 'Start a new conversation with the same files',
		review: 'Look at what changed',
		settings: 'Keys, limits, tool servers, theme',
		help: 'Shortcuts and commands',
		notNow: 'Wait until the agent is done and no review is open.'
	},
	addKey: 'Add a key to run your own task',
	replay: 'Replay',
	buildsPage: 'Watch it build a page',
	ended: [
		'Your turn',
		'The demo followed a script. With a key from Anthropic, OpenAI or Google the agent works on your own task, in this project or in yours.'
	],
	demo: 'This demo follows a script; the files, edits and tests are real.',
	matches: 'Files',
	readOnly: 'This session is open in another tab, so it’s read-only here.',
	takeOver: 'Use it here'
};

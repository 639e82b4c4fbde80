/** Strings around the message box. */
export const composer = {
	message: 'Message',
	placeholder: 'Ask for a change…',
	placeholderWorking: 'Steer the agent, or queue what comes next…',
	placeholderWaiting: 'Answer, or say what comes next…',
	send: 'Send',
	stop: 'Stop',
	queueUp: 'Queue',
	queueTitle: 'After this task (Alt+Enter)',
	addFile: 'Mention a file',
	status: 'Agent',
	states: { idle: 'idle', working: 'working', waiting: 'waiting for you', closed: 'closed' },
	queue: 'Waiting messages',
	steering: 'goes in after this step',
	queued: 'queued',
	remove: 'Take it out of the queue',
	edit: 'Edit',
	sendNow: 'Send now',
	sendNowTitle: 'After the current step, before the rest of the queue',
	held: 'Not sent yet. What stays here is sent after the next task.',
	removed: 'The message was taken out of the queue.',
	goneFromQueue: 'The agent has this message already.',
	pictures: 'Pictures to go along',
	picture: (number: number) => `Picture ${number}`,
	removePicture: (number: number) => `Take out picture ${number}`,
	noPicture: (name: string) =>
		`${name === '' ? 'That' : `“${name}”`} is no PNG, JPEG, GIF or WebP picture. Other files belong into the project: drop them on the start page, or name one there with @.`,
	brokenPicture: (name: string) =>
		`${name === '' ? 'The picture' : `“${name}”`} is too large and could not be made smaller.`,
	commands: 'Commands',
	command: {
		compact: 'Sum up the earlier conversation to make room',
		clear: 'Begin a new conversation over the same files',
		review: 'Look at what changed',
		settings: 'Keys, limits, tool servers, theme',
		help: 'Shortcuts and commands',
		notNow: 'That can be done when the agent is idle and no fork is open.'
	},
	addKey: 'Add a key to run your own task',
	replay: 'Replay',
	ended: [
		'Your turn',
		'The demo played a script. With a key from Anthropic, OpenAI or Google the agent works on your own task, in this project or in yours.'
	],
	demo: 'This model is a script; the tools, the files and the tests are real.',
	matches: 'Files',
	readOnly: 'This session is open in another tab. Here it can only be read.',
	takeOver: 'Take over'
};

export const palette = {
	title: 'Actions',
	help: 'Shortcuts',
	find: 'What do you want to do?',
	none: 'No matching actions',
	close: 'Close',
	actions: {
		palette: 'Find an action',
		help: 'Show the shortcuts',
		message: 'Write to the agent',
		stop: 'Stop the agent',
		find: 'Find in the conversation',
		settings: 'Settings',
		keys: 'Providers and keys',
		share: 'Share this session',
		compact: 'Sum up the earlier conversation',
		clear: 'Start a new conversation with the same files',
		theme: 'Next theme',
		home: 'All sessions',
		surface: (name: string) => `Show ${name}`,
		mode: (name: string) => `Mode: ${name}`
	},
	/** Keys in the message box. */
	composer: [
		['Enter', 'Send; while the agent works: steer it'],
		['Alt+Enter', 'Queue the message for after this task'],
		['Shift+Enter', 'New line'],
		['Escape', 'Stop the agent, from the message box'],
		['↑', 'Earlier messages, in an empty message box'],
		['@', 'Name a file'],
		['/', 'Commands and skills, at the beginning']
	] as const
};

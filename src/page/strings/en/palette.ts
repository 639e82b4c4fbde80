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
		compact: 'Summarize earlier messages',
		clear: 'Start a new conversation with the same files',
		theme: 'Next theme',
		home: 'All sessions',
		surface: (name: string) => `Show ${name}`,
		mode: (name: string) => `Mode: ${name}`
	},
	/** Keys in the message box. */
	composer: [
		['Enter', 'Send, or steer the agent while it works'],
		['Alt+Enter', 'Queue the message for after this task'],
		['Shift+Enter', 'New line'],
		['Escape', 'Stop the agent, from the message box'],
		['↑', 'Earlier messages, in an empty message box'],
		['@', 'Mention a file'],
		['/', 'Commands and skills, at the start']
	] as const
};

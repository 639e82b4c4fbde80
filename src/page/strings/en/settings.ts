export const settings = {
	title: 'Settings',
	close: 'Close',
	sections: {
		session: 'This session',
		agent: 'All projects',
		permissions: 'Permissions',
		keys: 'Providers and keys',
		tools: 'Tool servers',
		page: 'This page'
	},
	permissions: {
		why: 'The agent may do these things without asking. Everything else that changes files, reaches hosts or starts servers is asked about first.',
		none: 'Nothing is allowed without asking.',
		scopes: { session: 'This session', project: 'This project', everywhere: 'Everywhere' },
		scope: 'Where it applies',
		from: (question: string, session: string, date: string) => `Allowed for “${question}” in “${session}”, ${date}`,
		earlier: 'Allowed in an earlier version',
		remove: (rule: string) => `Remove: ${rule}`
	},
	agent: {
		instructions: 'Your instructions for the agent',
		instructionsWhy:
			'Added to the prompt in every project, after the project’s own, and sent to your model’s provider. Changes apply from the next message.',
		instructionsWrong: 'That is too long. Keep it under 20,000 characters.',
		titles: 'Let the model name new sessions',
		titlesWhy:
			'One small extra request per session, which counts toward the cap. Otherwise a session is named after the start of your first message.',
		characters: 'Characters of a command’s output the model reads',
		charactersWrong: 'Enter a whole number from 1,000 to 1,000,000, or leave it empty.',
		lines: 'Lines of a command’s output the model reads',
		linesWrong: 'Enter a whole number from 10 to 100,000, or leave it empty.',
		asUsual: 'default',
		outputWhy: 'You always see the whole output. Empty: the model’s default. Applies from the next message.'
	},
	tools: {
		pictures: 'Send images to the model',
		picturesWhy: 'If off, you can’t attach images, and those that tools read are described in words.',
		title: 'Tools the agent may use',
		why: 'Its helpers may use no others. Changes apply from the next request, which the provider then can’t serve from its cache.'
	},
	noSession: 'Open a project to set how far its agent may go.',
	effort: 'Reasoning effort',
	effortNone: 'This model has no effort setting.',
	efforts: {
		auto: 'Default',
		none: 'none',
		minimal: 'minimal',
		low: 'low',
		medium: 'medium',
		high: 'high',
		xhigh: 'very high',
		max: 'Maximum'
	},
	cap: 'Spending cap, in US dollars',
	capNone: 'no cap',
	capWhy: 'The agent and its helpers stop when this session has cost this much. Empty: no cap.',
	capUnknown: 'This model’s price is unknown, so it doesn’t count toward the cap.',
	capWrong: 'Enter an amount above 0, or leave it empty.',
	rounds: 'Steps per task',
	roundsWrong: 'Enter a whole number from 1 to 10,000.',
	silence: 'Seconds of silence before an answer is given up',
	silenceWhy:
		'In the middle of an answer; signs of life from the provider count. Models may think for minutes. Applies to this browser.',
	silenceWrong: 'Enter a whole number from 10 to 3,600.',
	keysWhy:
		'The key goes from this page straight to the provider. This site’s server never sees it, and shared links never contain it.',
	ofServer: 'Provided by this server',
	ofServerNone: 'This server has no key.',
	key: (provider: string) => `Your key for ${provider}`,
	address: (provider: string) => `Address of ${provider}, if another`,
	tried: {
		unreachable: (provider: string) => `${provider} could not be reached. Check the network and try again.`,
		refused: (provider: string) => `${provider} rejected this key. Check it and paste it again.`,
		trouble: (provider: string, status: number) =>
			`${provider} could not check the key (${status}). Try again in a moment.`
	},
	addKey: {
		title: 'Add a key',
		why: 'Paste an API key from Anthropic, OpenAI or Google to run your own tasks.',
		key: 'Key',
		provider: 'Provider',
		detected: (provider: string) => `${provider}, detected from the key`,
		unknown: 'This key’s form is unknown. Choose its provider.',
		keep: 'Keep this key',
		tab: ['Until I close this tab', 'You’ll paste it again next time.'],
		browser: ['In this browser', 'Stored on this device. Anyone who uses this browser profile can use it.'],
		path: (host: string) =>
			`The key goes from this page straight to ${host}. This site’s server never sees it, and shared links never contain it.`,
		checking: (provider: string) => `Checking the key with ${provider}…`,
		cancel: 'Cancel',
		use: 'Use this key'
	},
	keep: 'Keep it in this browser after I close this tab',
	use: 'Use this key',
	used: 'Using your key',
	usedKept: 'Using your key, kept in this browser',
	remove: 'Remove',
	removeKey: (provider: string) => `Remove the key for ${provider}`,
	mcpWhy: 'Connect MCP servers over HTTP. The agent asks before each call. Tokens stay in this tab.',
	mcpNone: 'None yet.',
	mcpName: 'Short name',
	mcpUrl: 'Address of the server',
	mcpToken: 'Token, if it needs one',
	mcpAdd: 'Add server',
	mcpStates: { connecting: 'connecting…', ready: 'ready', failed: 'cannot be used' },
	mcpTools: (count: number) => (count === 1 ? '1 tool' : `${count} tools`),
	mcpAgain: 'Try again',
	removeServer: (name: string) => `Remove ${name}`,
	noTools: 'It answered, but offers no tools.',
	noAddress: (address: string) => `“${address}” isn’t an address. Use one like https://host/path.`,
	notReachable: (origin: string) =>
		`This page may not reach ${origin}. The operator can add it to SANDGLASS_CONNECT_HOSTS and restart the server.`,
	theme: 'Theme',
	themes: { system: 'System', light: 'Light', dark: 'Dark' },
	language: 'Language',
	languageBlocked: 'Your browser blocks storage for this site, so the choice would be lost when the page reloads.',
	languageWhy: 'Changing it reloads the page. Sessions and files stay; a task the agent is working on stops.',
	notify: 'Notify me when the agent is done or needs me',
	notifyWhy: 'With a system notification, while this tab is in the background.',
	notifyDenied: 'Your browser blocks notifications from this page. Allow them in its settings for this site.',
	notifyMissing: 'This browser has no notifications. The tab’s title shows it instead.',
	hosts: 'Hosts that programs may reach in this session',
	hostsNone: 'None. The agent asks before reaching a host.',
	takeBack: (host: string) => `Ask again before reaching ${host}`,
	erase: 'Erase everything',
	eraseWhy: 'All sessions with their files and conversations, keys, settings and cached packages in this browser.',
	eraseQuestion: 'Delete all sessions, keys and settings from this browser? You can’t undo this.',
	eraseShares: (count: number) =>
		count === 1
			? 'A link you shared keeps working until it expires, and can’t be deleted after this. Delete it above first if it should be gone.'
			: `${count} links you shared keep working until they expire, and can’t be deleted after this. Delete them above first if they should be gone.`,
	eraseYes: 'Delete everything',
	eraseNo: 'Cancel',
	erased: 'Everything was erased.'
};

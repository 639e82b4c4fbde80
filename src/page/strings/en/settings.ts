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
		remove: (rule: string) => `Take back: ${rule}`
	},
	agent: {
		instructions: 'Your instructions for the agent',
		instructionsWhy:
			'They go into the prompt of every project, after the project’s own, and are sent to the provider of your model. A change holds from the next message on.',
		instructionsWrong: 'That is too long. Keep it under 20,000 characters.',
		titles: 'Let the model name new sessions',
		titlesWhy:
			'One more small request for each session; it counts towards the cap. Otherwise a session is called by the beginning of your first message.',
		characters: 'Characters of a command’s output the model reads',
		charactersWrong: 'Give a whole number from 1,000 to 1,000,000, or leave it empty.',
		lines: 'Lines of a command’s output the model reads',
		linesWrong: 'Give a whole number from 10 to 100,000, or leave it empty.',
		asUsual: 'as usual',
		outputWhy: 'You always see the whole output. Empty: as usual for the model. Holds from the next message on.'
	},
	tools: {
		pictures: 'Send pictures to the model',
		picturesWhy: 'Otherwise attaching one is refused, and a sentence stands for those that tools read.',
		title: 'Tools the agent may use',
		why: 'Its helpers may use no others. A change holds from the next request on, which the provider then cannot take from its cache.'
	},
	noSession: 'Open a project to set how far its agent may go.',
	effort: 'Reasoning effort',
	effortNone: 'The model in use has no setting for its effort.',
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
	capWhy: 'The agent and its helpers stop when this session has cost that much. Empty: no cap.',
	capUnknown: 'No price is known for the model it uses now, so a cap cannot hold: the answers count as $0.',
	capWrong: 'Give an amount above 0, or leave it empty.',
	rounds: 'Steps per task',
	roundsWrong: 'Give a whole number from 1 to 10,000.',
	silence: 'Seconds of silence before an answer is given up',
	silenceWhy:
		'In the middle of an answer; signs of life from the provider count. Models may think for minutes. Holds for this browser.',
	silenceWrong: 'Give a whole number from 10 to 3,600.',
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
		unknown: 'The form of this key is not known. Choose its provider.',
		keep: 'Keep this key',
		tab: ['Until I close this tab', 'You paste it again next time.'],
		browser: ['In this browser', 'Stored on this device. Anyone who uses this browser profile can use it.'],
		path: (host: string) =>
			`The key goes from this page straight to ${host}. This site’s server never sees it, and shared links never contain it.`,
		checking: (provider: string) => `Checking the key with ${provider}…`,
		cancel: 'Cancel',
		use: 'Use this key'
	},
	keep: 'Keep it in this browser after the tab is closed',
	use: 'Use this key',
	used: 'Using your key',
	usedKept: 'Your own key is used, and kept in this browser.',
	remove: 'Remove',
	removeKey: (provider: string) => `Remove the key for ${provider}`,
	mcpWhy:
		'Servers that speak the Model Context Protocol over HTTP. Each call is asked about like any other reach into the network. A token is kept in this tab only.',
	mcpNone: 'None yet.',
	mcpName: 'Short name',
	mcpUrl: 'Address of the server',
	mcpToken: 'Token, if it wants one',
	mcpAdd: 'Add server',
	mcpStates: { connecting: 'connecting…', ready: 'ready', failed: 'cannot be used' },
	mcpTools: (count: number) => (count === 1 ? '1 tool' : `${count} tools`),
	mcpAgain: 'Try again',
	removeServer: (name: string) => `Remove ${name}`,
	noTools: 'It answers, but offers no tools.',
	noAddress: (address: string) => `“${address}” is no address. Give one like https://host/path.`,
	notReachable: (origin: string) =>
		`This page may not reach ${origin}. The operator can add it to SANDGLASS_CONNECT_HOSTS and restart the server.`,
	theme: 'Theme',
	themes: { system: 'As the system has it', light: 'Light', dark: 'Dark' },
	language: 'Language',
	languageBlocked: 'The browser keeps nothing for this site, so the choice would be lost when the page loads again.',
	languageWhy:
		'A change loads the page again: sessions and files stay, but what the agent is doing at that moment stops.',
	notify: 'Notify me when the agent is done or needs me',
	notifyWhy: 'As a notification of the system, while this tab is not in front.',
	notifyDenied: 'The browser does not let this page notify. Allow it in the browser’s settings for this site.',
	notifyMissing: 'This browser has no notifications. The tab’s title shows it instead.',
	hosts: 'Hosts that programs may reach in this session',
	hostsNone: 'None. Each is asked about when something wants to reach it.',
	takeBack: (host: string) => `Take back ${host}`,
	erase: 'Erase everything',
	eraseWhy: 'All sessions, their files and conversations, keys, settings and kept packages of this browser.',
	eraseQuestion: 'Delete all sessions, keys and settings from this browser? You can’t undo this.',
	eraseShares: (count: number) =>
		count === 1
			? 'A link you shared works until it expires, and what deletes it is erased too: delete it above first if it should be gone.'
			: `${count} links you shared work until they expire, and what deletes them is erased too: delete them above first if they should be gone.`,
	eraseYes: 'Erase it all',
	eraseNo: 'Cancel',
	erased: 'Everything was erased.'
};

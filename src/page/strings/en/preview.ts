/** Strings of the preview and the servers in the tab. */
export const preview = {
	title: 'See what this project makes',
	can: 'A page or an app is put into one document, bundled where it needs to be, and shown in a closed frame: it can read neither this page nor your sessions, and its requests are refused.',
	caveat:
		'It runs as soon as you show it. Chrome and Chromium from version 152 cut it off from the network. In other browsers no page can close two ways out: a script could send data by WebRTC, and by going to an address it tells the network that name and connects to it. There, show what you trust that far.',
	servedCaveat:
		'A server’s pages run as soon as you open them, apart from this page and from other projects. Chrome and Chromium from version 152 let them reach nothing but their own server; in other browsers a script could send data by WebRTC or by going to an address. Where the browser blocks third-party storage, scripts of previews share cookies, but no other data.',
	choose: 'Document',
	show: 'Show it',
	close: 'Close the document',
	address: 'Address',
	addressOutside:
		'The preview shows servers in this tab, such as localhost:3000, and documents of the project. Open other addresses in a tab of your own.',
	size: 'Size',
	turn: 'Turn the device',
	sizes: { fit: 'Fit', phone: 'Phone', tablet: 'Tablet', laptop: 'Laptop', desktop: 'Desktop' },
	reload: 'Reload',
	none: 'There is no HTML document and no src/main in this project. Ask the agent for one.',
	frame: (path: string) => `Document ${path}`,
	unavailable:
		'This site is served without the preview frame, so documents cannot be shown safely. Start it with its own server.',
	bundling: 'Bundling…',
	servers: 'Servers in this tab',
	noServers: 'Start a dev server and it appears here.',
	start: {
		title: 'Start the project',
		run: 'Start',
		steps: {
			install: (command: string) => `Install packages (${command})`,
			start: (command: string) => `Start the server (${command})`,
			wait: (_command: string) => 'Wait for its port'
		},
		stop: 'Stop',
		again: 'Try again',
		dismiss: 'Dismiss',
		failed: (exitCode: number) =>
			exitCode === 0 ? 'The command ended without opening a port.' : `The command ended with exit code ${exitCode}.`,
		running: (command: string) => `${command} is running.`,
		toAgent: (command: string, output: string) =>
			`\`${command}\` did not start. Its output:\n\n\`\`\`\n${output}\n\`\`\``
	},
	server: (port: number) => `Server on port ${port}`,
	open: 'Open',
	openServer: (port: number) => `Open port ${port}`,
	dismiss: (port: number) => `Hide port ${port}`,
	serverFrame: (port: number) => `Server on port ${port}`,
	noOrigin:
		'Servers, and documents that fetch their own files, need a preview origin, which this site has not set. Its operator can set SANDGLASS_PREVIEW_ORIGIN.',
	withFiles: 'With its files',
	withFilesWhy:
		'Shows it from an address of its own, where it can fetch the project’s files and keep data for this session.',
	originFailed:
		'This browser does not let the preview keep a service worker in a frame. Allow third-party storage for this site, or show a closed document instead.',
	noLoopback: 'This computer has no servers of its own.',
	taken: 'Another tab shows this preview now. Reload it to show it here.',
	allTaken: 'Previews in other tabs use every address there is for them. Close one of them, then reload this one.',
	serverGone: (port: number) => `The server on port ${port} stopped. Start it again.`,
	failed: 'It could not be bundled.',
	missing: (names: string) => `Missing packages: ${names}`,
	missingWhy: 'The project names them, but node_modules does not have them yet.',
	unnamedWhy: 'package.json does not name them all; installing adds them to it.',
	install: 'Run npm install',
	installing: 'Installing…',
	installFailed: 'npm install did not succeed.',
	blank: 'The page is empty. Check the console below.',
	left: 'A script in it went to another address, which the closed frame does not load.',
	console: 'Console',
	consoleEmpty: 'Nothing was printed.',
	clear: 'Clear',
	send: 'Send to the agent',
	ownTab: 'Open in a tab',
	inTab: 'This preview is in a tab of its own.',
	bringBack: 'Show it here',
	tabBlocked: 'Your browser did not let the tab open. Allow pop-ups for this page and try again.',
	tabNote: (title: string) => `${title}. It runs in Sandglass and ends with that tab.`,
	screenshot: 'Screenshot to the agent',
	errors: (count: number) => (count === 1 ? '1 error' : `${count} errors`),
	lines: (count: number) => (count === 1 ? '1 line' : `${count} lines`),
	times: (count: number) => `${count}×`,
	toAgent: (shown: string) => `The preview of ${shown} reports:`,
	blocked: (address: string) => `Refused: ${address} is not part of this document, and nothing leaves the preview.`,
	outside: (address: string) => `The link to ${address} leads outside the preview; open it in a tab of your own.`,
	noPage: (address: string) => `The link to ${address} leads to no page of this project.`,
	form: (action: string) =>
		`A form was sent to ${action || 'its own address'}; a closed document has no server to receive it.`,
	filesOnly: 'These are files only.',
	filesOnlyWhy: (method: string) => `Nothing takes a ${method} request here. Start the project’s server and open it.`,
	notFound: 'There is no such file.',
	notFoundWhy: (address: string) =>
		`${address} is neither beside the document nor in the project or its public folder.`,
	noServer: (port: number) => `Nothing answers on port ${port}.`,
	noServerWhy: (reason: string) => `${reason} Start the server in the terminal; this page then loads again.`
};

/** Strings about the page without its server, and about newer versions of it. */
export const offline = {
	keep: 'Keep the page and its programs in this browser, so that it opens without a network',
	states: {
		missing:
			'This browser, or this window, does not let a page be kept. It opens only while its server can be reached.',
		off: 'Nothing is kept: the page opens only while its server can be reached. It is about 60 MB, 30 MB to fetch.',
		loading: 'Being kept…',
		partly: 'Partly available offline. The rest downloads on your next visit.',
		ready: 'All of it is kept. Models, imports and stored shares still need the network.'
	},
	version: 'Version',
	newer: 'A new version is available.',
	reload: 'Reload',
	later: 'Later'
};

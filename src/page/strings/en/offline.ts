/** Strings about the page without its server, and about newer versions of it. */
export const offline = {
	keep: 'Make this page available offline',
	states: {
		missing: 'This browser or window can’t keep pages for offline use.',
		off: 'Takes about 60 MB on this device, a download of 30 MB.',
		loading: 'Downloading…',
		partly: 'Partly available offline. The rest downloads on your next visit.',
		ready: 'Available offline. Models, imports and stored shares still need the network.'
	},
	version: 'Version',
	newer: 'A new version is available.',
	reload: 'Reload',
	later: 'Later'
};

/**
 * Explanations of errors by machine-readable code: import, environment, model, session and share errors. A
 * sentence and a next step.
 */
export const explained = {
	invalid_url: [
		'That doesn’t look like a Git repository. Try github.com/owner/repo.',
		'Paste one like https://github.com/owner/repository.'
	],
	not_found: ['There is no repository at this address.', 'Check the spelling, and whether it is private.'],
	private: ['This repository is private or asks for a login.', 'Clone it yourself and use “Open folder”.'],
	too_large: ['This is more than the tab can hold.', 'Choose the folders you need, or open a folder with that part.'],
	no_network: ['The server could not be reached.', 'Check the connection, then try again.'],
	not_a_zip: ['This file is not a zip archive.', 'Choose a file that ends in .zip, or drop a folder.'],
	damaged: ['The download was damaged.', 'Try again; if it stays so, the source itself is broken.'],
	empty: ['There are no files in it.', 'Choose a folder, a zip or a branch that has some.'],
	unsupported: ['This kind of source is not supported.', 'Use an https:// address, a folder or a zip.'],
	cancelled: ['It was cancelled.', 'Nothing was kept. Start it again when you like.'],
	import_cut_off: [
		'The import was cut off when this page was loaded again.',
		'Nothing of it was kept. Import it again.'
	],
	message_too_long: [
		'That is too much text for one message.',
		'Put it into a file of the project, in Files or the terminal, and name it in the message with @.'
	],
	page_part: [
		'A part of this page could not be loaded.',
		'Check the connection, then reload the page: what you did is kept. The site may have a newer version.'
	],
	machine_lost: [
		'The machine is gone, so the session continues in this tab.',
		'The files are as they were copied last; what ran over there has ended. Move the session again if you need it.'
	],
	main_in_use: ['The main session is open in another tab.', 'Close it there, then try again.'],
	server_error: ['The server could not fetch it.', 'Wait a moment and try again.'],

	ENOSPC: ['The tab’s disk is full.', 'Remove what is not needed, for instance node_modules.'],
	EFBIG: ['The file is larger than the tab can hold.', 'Work on a smaller part of it.'],
	ENOENT: ['That file no longer exists.', 'Look at the tree for where it went.'],
	EACCES: ['That path is outside the project.', 'Use a path inside the project.'],
	EUNAVAILABLE: [
		'The computer in this tab could not start.',
		'Reload the page; use a current browser with its own server.'
	],
	ECLOSED: ['The computer in this tab was shut down.', 'Reload the page to bring it back.'],
	ENOTSUP: ['This cannot be done in the tab.', 'Do it another way, or on your own machine.'],

	authentication: [
		'The provider did not accept the key.',
		'Check it in the settings, or where the server starts, then send again.'
	],
	access_denied: ['The key may not use this model.', 'Choose another model.'],
	quota: ['The provider’s budget for this key is used up.', 'Add credit there, or choose another model.'],
	rate_limit: ['The provider asks for a pause.', 'Wait a minute, then send again.'],
	context_length: [
		'The conversation is longer than the model can read.',
		'Compact it and send your message again, choose a model that reads more, or start over with the same files.'
	],
	content_filter: ['The provider’s filter held the answer back.', 'Put the task in other words.'],
	invalid_request: [
		'The provider did not understand the request.',
		'Choose another model, or fork from an earlier step.'
	],
	model_not_found: ['The provider does not know this model.', 'Choose another model.'],
	server: ['The provider has trouble of its own.', 'Wait a moment, then send again.'],
	timeout: ['No answer came in time.', 'Send again; nothing is lost.'],
	network: ['The connection broke.', 'Check the network, then send again; nothing is lost.'],
	stream: ['The answer broke off or was garbled.', 'Send again; nothing is lost.'],
	configuration: [
		'No model is set up.',
		'Give a key in the settings, set one where the server starts, or watch the demo.'
	],

	SessionNotFound: [
		'This browser has no such session.',
		'It may be in another browser, or was deleted. Start a new one.'
	],
	SessionGone: [
		'Your browser removed this session to free up space.',
		'The browser made room for other sites, or the import never ended. Delete it from the list; a share link brings a shared one back.'
	],
	ContentLost: [
		'The content of a file in this checkpoint is damaged in this browser, or gone.',
		'Other files and checkpoints are not touched by that. “Download the raw files”, in the list of sessions, saves what is left.'
	],
	LockedError: ['This session is open in another tab.', 'Close it there, or take it over from here.'],
	SessionBusyError: ['The agent is still working.', 'Wait, steer it, or press Stop.'],
	SessionClosedError: ['This session is closed.', 'Reload the page to open it again.'],
	QuotaExceededError: [
		'The browser’s storage for this site is full.',
		'Delete sessions you no longer need; what was done meanwhile is then stored too.'
	],

	publish_no_remote: ['This project has no Git host to push to.', 'Save the patch or the zip instead.'],
	publish_nothing: ['There is nothing to push.', 'Change something first, or look whether it was pushed before.'],
	publish_no_branch: [
		'The host has no such branch to begin at.',
		'Leave “Into” empty for the default branch, or check the name.'
	],
	publish_branch_exists: ['The host has a branch of this name already.', 'Choose another name for the branch.'],
	publish_moved: [
		'The host’s branch has changed in the same files since the import.',
		'Import it again, or save the patch and merge it yourself. The files are named below.'
	],
	publish_no_access: [
		'The host did not let you push to this repository.',
		'Give a token that may write to it. If the repository is not yours, fork it on the host and import your fork.'
	],
	publish_protected: ['The host protects this branch.', 'Choose another name for the branch.'],
	publish_unreachable: [
		'The Git host could not be reached.',
		'Check the connection, then try again; nothing was pushed.'
	],
	publish_rejected: [
		'The host did not take the branch.',
		'What it says stands below. Nothing in the project was changed.'
	],
	publish_name: ['Git takes no branch of this name.', 'Use letters, digits, dashes and single slashes.'],
	request_no_access: [
		'The branch is pushed, but this token may not open pull requests.',
		'Give a token with that right, or open it on the host’s own page.'
	],
	request_not_found: [
		'The host knows no such repository, or hides it from this token.',
		'Check what kind of host it is, and whether the token may see the repository.'
	],
	request_no_difference: ['The branch has nothing that the other has not.', 'Look whether it was merged already.'],
	request_refused: [
		'The branch is pushed, but the host opened no pull request.',
		'What it says stands below; try again or open it there.'
	],

	share_wrong_key: [
		'This link is incomplete. Ask for the whole link.',
		'Copy the whole link again from where you got it.'
	],
	share_damaged: ['This share link is damaged or incomplete.', 'Ask for the whole link again.'],
	share_not_found: ['This share has expired or was deleted.', 'Ask for a new link.'],
	share_too_large: ['This session is too large to share.', 'Remove large files, then try again.'],
	share_version: ['This share was made by a newer version.', 'Reload the page to get it, then open it again.'],
	share_no_server: [
		'This site has no server, and the session is too large for a link alone.',
		'Save the zip or the patch and pass that on.'
	],
	share_server_error: ['The server could not do it just now.', 'Try again in a minute.'],
	share_offline: ['The server cannot be reached.', 'Check the connection and try again.'],
	share_not_a_session: ['This file is no session of Sandglass.', 'Choose one that ends in .sandglass.'],
	share_passphrase: ['This session is encrypted.', 'Open it again and give its passphrase.'],
	share_wrong_passphrase: ['The passphrase does not fit, or the file is damaged.', 'Check it and try again.'],
	share_damaged_file: [
		'This session file is damaged: a part of it is missing or was changed.',
		'Copy it again from where you got it.'
	],
	share_malformed_tree: [
		'The conversation in this share does not hold together, in a way that no session of Sandglass writes.',
		'It was not opened. Ask its sender how it was made.'
	],
	share_instructions: [
		'This share carries instructions to the model that its replay would not show.',
		'It was not opened: no session of Sandglass does that. Do not trust its sender.'
	],
	share_too_complex: [
		'This share holds more entries than a session of Sandglass can have.',
		'It was not opened. Ask for a smaller one.'
	],
	share_file_too_large: ['This file is too large to be a session.', 'Choose another one.'],
	share_unavailable: ['The server could not keep the share.', 'Try again; a small session needs no server.']
} as const;

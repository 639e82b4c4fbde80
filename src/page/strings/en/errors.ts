/**
 * Explanations of errors by machine-readable code: import, environment, session and share errors, and model errors
 * whose provider is unknown. Each has a sentence and a next step.
 */
export const explained = {
	invalid_url: ['That doesn’t look like a Git repository.', 'Try github.com/owner/repo.'],
	not_found: ['No repository was found at this address.', 'Check the spelling, and whether it’s private.'],
	private: ['This repository is private or needs a login.', 'Clone it yourself, then open the folder here.'],
	too_large: [
		'This is more than a tab can hold.',
		'Choose the folders you need, or open a folder with just that part.'
	],
	no_network: ['The server can’t be reached.', 'Check the connection, then try again.'],
	not_a_zip: ['This file isn’t a zip archive.', 'Choose a file that ends in .zip, or drop a folder.'],
	damaged: ['The download was damaged.', 'Try again. If it still fails, the source itself is damaged.'],
	empty: ['It has no files.', 'Choose a folder, a zip or a branch with files.'],
	unsupported: ['This kind of source isn’t supported.', 'Use an https:// address, a folder or a zip.'],
	cancelled: ['Cancelled.', 'Nothing was kept. Start again any time.'],
	import_cut_off: ['The import stopped when this page was reloaded.', 'Nothing of it was kept. Import it again.'],
	message_too_long: [
		'This text is too long for one message.',
		'Put it into a file of the project, in Files or the terminal, and mention it with @.'
	],
	page_part: [
		'A part of this page couldn’t be loaded.',
		'Check the connection, then reload the page. Your work is saved. The site may have a newer version.'
	],
	machine_lost: [
		'The machine is gone, so the session continues in this tab.',
		'Files are as last copied; programs over there have ended. Move the session again if you need the machine.'
	],
	main_in_use: ['The main session is open in another tab.', 'Close it there, then try again.'],
	server_error: ['The server couldn’t fetch it.', 'Wait a moment and try again.'],

	ENOSPC: ['This tab’s disk is full.', 'Delete large folders you don’t need, for instance node_modules.'],
	EFBIG: ['The file is larger than a tab can hold.', 'Work on a smaller part of it.'],
	ENOENT: ['That file no longer exists.', 'It may have been moved or deleted. Look for it in Files.'],
	EACCES: ['That path is outside the project.', 'Use a path inside the project.'],
	EUNAVAILABLE: [
		'The computer in this tab couldn’t start.',
		'Reload the page, or use a current version of Chrome, Edge, Firefox or Safari.'
	],
	ECLOSED: ['The computer in this tab was shut down.', 'Reload the page to start it again.'],
	ENOTSUP: ['This doesn’t work in a tab.', 'Try another way, or use a bigger machine or your own computer.'],

	authentication: ['The provider rejected your key.', 'Replace it, or choose another model.'],
	access_denied: ['Your key can’t use this model.', 'Choose another model.'],
	quota: ['The credit for your key is used up.', 'Add credit, or choose another model.'],
	rate_limit: ['The provider is limiting requests.', 'Wait a minute, then try again.'],
	context_length: [
		'This conversation is too long for the model.',
		'Compact it and try again, choose a model with a larger context, or start over with the same files.'
	],
	content_filter: ['The provider’s filter blocked this answer.', 'Try rephrasing the task.'],
	invalid_request: ['The provider didn’t accept the request.', 'Choose another model, or fork from an earlier step.'],
	model_not_found: ['The provider doesn’t have this model.', 'Choose another model.'],
	server: ['The provider has a problem.', 'Wait a moment, then try again.'],
	timeout: ['The model didn’t answer in time.', 'Try again. Your work is saved.'],
	network: ['The connection was lost.', 'Check the network, then try again. Your work is saved.'],
	stream: ['The answer was cut off.', 'Try again. Your work is saved.'],
	configuration: ['No model is set up.', 'Add a key in the settings or on the server, or watch the demo.'],

	SessionNotFound: [
		'This browser doesn’t have this session.',
		'It may be in another browser, or was deleted. Start a new one.'
	],
	SessionGone: [
		'Your browser removed this session to free up space.',
		'Or its import never finished. Delete it from the list; if you shared it, its link still has it.'
	],
	ContentLost: [
		'A file of this checkpoint is damaged or missing in this browser.',
		'Other files and checkpoints are fine. “Download the raw files”, in the list of sessions, saves what is left.'
	],
	LockedError: ['This session is open in another tab.', 'Close it there, or use it here.'],
	SessionBusyError: ['The agent is still working.', 'Wait, steer it, or press Stop.'],
	SessionClosedError: ['This session is closed.', 'Reload the page to open it again.'],
	QuotaExceededError: [
		'The browser’s storage for this site is full.',
		'Delete sessions you no longer need; your latest work is then saved too.'
	],

	publish_no_remote: ['This project has no Git remote.', 'Download a patch or zip instead.'],
	publish_nothing: ['There is nothing to push.', 'Change something first, or check whether it was already pushed.'],
	publish_no_branch: [
		'The host doesn’t have the branch to start from.',
		'Leave “Into” empty for the default branch, or check the name.'
	],
	publish_branch_exists: ['The host already has a branch with this name.', 'Choose another name.'],
	publish_moved: [
		'The branch changed in the same files.',
		'Import it again, or download the patch and merge it yourself. The files are listed below.'
	],
	publish_no_access: [
		'The host didn’t let you push to this repository.',
		'Use a token that can write to it. If the repository isn’t yours, fork it on the host and import your fork.'
	],
	publish_protected: ['The host protects this branch.', 'Choose another name.'],
	publish_unreachable: ['The Git host can’t be reached.', 'Check the connection, then try again. Nothing was pushed.'],
	publish_rejected: ['The host rejected the branch.', 'Its answer is below. The project is unchanged.'],
	publish_name: ['This isn’t a valid branch name.', 'Use letters, digits, dashes and single slashes.'],
	request_no_access: [
		'The branch is pushed, but this token can’t open pull requests.',
		'Use a token with that right, or open it on the host’s own page.'
	],
	request_not_found: [
		'The host doesn’t have this repository, or hides it from this token.',
		'Check the kind of host, and whether the token can see the repository.'
	],
	request_no_difference: ['The branch has nothing new.', 'Check whether it was already merged.'],
	request_refused: [
		'The branch is pushed, but the host opened no pull request.',
		'Its answer is below. Try again, or open it there.'
	],

	share_wrong_key: ['This link is incomplete.', 'Ask for the whole link.'],
	share_damaged: ['This share link is damaged or incomplete.', 'Ask for the whole link.'],
	share_not_found: ['This share has expired or was deleted.', 'Ask for a new link.'],
	share_too_large: ['This session is too large to share.', 'Remove large files, then try again.'],
	share_version: ['This share was made by a newer version.', 'Reload the page, then open it again.'],
	share_no_server: [
		'This site has no server, and the session is too large for a link alone.',
		'Save the session as a file, or download a zip or patch.'
	],
	share_server_error: ['The server has a problem.', 'Try again in a minute.'],
	share_offline: ['The server can’t be reached.', 'Check the connection and try again.'],
	share_not_a_session: ['This file isn’t a Sandglass session.', 'Choose one that ends in .sandglass.'],
	share_passphrase: ['This session is encrypted.', 'Open it again and enter its passphrase.'],
	share_wrong_passphrase: ['Wrong passphrase, or the file is damaged.', 'Check it and try again.'],
	share_damaged_file: [
		'This session file is damaged: part of it is missing or was changed.',
		'Copy it again from where you got it.'
	],
	share_malformed_tree: [
		'The conversation in this share is inconsistent, in a way that Sandglass never writes.',
		'It wasn’t opened. Ask its sender how it was made.'
	],
	share_instructions: [
		'This share has instructions to the model that its replay wouldn’t show.',
		'It wasn’t opened: Sandglass never writes such shares. Don’t trust its sender.'
	],
	share_too_complex: [
		'This share has more entries than a Sandglass session can have.',
		'It wasn’t opened. Ask for a smaller one.'
	],
	share_file_too_large: ['This file is too large to be a session.', 'Choose another one.'],
	share_unavailable: ['The server couldn’t store the share.', 'Try again; small sessions don’t need a server.']
} as const;

/** Sentences used in place of {@link explained} if the error names its provider. */
export const providerErrors = {
	authentication: (provider: string) => `${provider} rejected your key.`,
	access_denied: (provider: string) => `${provider} doesn’t let your key use this model.`,
	quota: (provider: string) => `Your ${provider} credit is used up.`,
	rate_limit: (provider: string) => `${provider} is limiting requests.`,
	content_filter: (provider: string) => `${provider}’s filter blocked this answer.`,
	invalid_request: (provider: string) => `${provider} didn’t accept the request.`,
	model_not_found: (provider: string) => `${provider} doesn’t have this model.`,
	server: (provider: string) => `${provider} is overloaded or has a problem.`,
	timeout: (provider: string) => `${provider} didn’t answer in time.`,
	network: (provider: string) => `The connection to ${provider} was lost.`
};

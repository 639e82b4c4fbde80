/** What a person is told about an error: what happened, and what they can do. */
export interface Explanation {
	code: string;
	sentence: string;
	nextStep: string;
	/** What lies behind it, shown small; not for everybody. */
	detail?: string;
}

type Entry = readonly [sentence: string, nextStep: string];

/** By machine-readable code: import, environment, model, session and share errors. */
const EXPLANATIONS: Record<string, Entry> = {
	invalid_url: ['This is not an address of a Git repository.', 'Paste one like https://github.com/owner/repository.'],
	not_found: ['There is no repository at this address.', 'Check the spelling, and whether it is private.'],
	private: ['This repository is private or asks for a login.', 'Clone it yourself and use “Open folder”.'],
	too_large: ['This is more than the tab can hold.', 'Open a folder with the part you need.'],
	no_network: ['The server could not be reached.', 'Check the connection, then try again.'],
	not_a_zip: ['This file is not a zip archive.', 'Choose a file that ends in .zip, or drop a folder.'],
	damaged: ['The data arrived damaged.', 'Try again; if it stays so, the source itself is broken.'],
	empty: ['There are no files in it.', 'Choose a folder, a zip or a branch that has some.'],
	unsupported: ['This kind of source is not supported.', 'Use an https:// address, a folder or a zip.'],
	cancelled: ['It was cancelled.', 'Nothing was kept. Start it again when you like.'],
	server_error: ['The server could not fetch it.', 'Wait a moment and try again.'],

	ENOSPC: ['The tab’s disk is full.', 'Remove what is not needed, for instance node_modules.'],
	EFBIG: ['The file is larger than the tab can hold.', 'Work on a smaller part of it.'],
	ENOENT: ['That file is not there any more.', 'Look at the tree for where it went.'],
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
		'Use “Compact now”, or fork from an earlier step.'
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
		'Nothing of this session is left in the browser.',
		'The browser made room for other sites, or the import never ended. Delete it from the list; a share link brings a shared one back.'
	],
	LockedError: ['This session is open in another tab.', 'Close it there, or take it over from here.'],
	SessionBusyError: ['The agent is still working.', 'Wait, steer it, or press Stop.'],
	SessionClosedError: ['This session is closed.', 'Reload the page to open it again.'],
	QuotaExceededError: [
		'The browser’s storage for this site is full.',
		'Delete sessions you no longer need; what was done meanwhile is then stored too.'
	],

	share_wrong_key: ['The key in this link does not fit the share.', 'Copy the whole link again from where you got it.'],
	share_damaged: ['This share link is damaged or incomplete.', 'Ask for the whole link again.'],
	share_not_found: ['This share has expired or was deleted.', 'Ask for a new link.'],
	share_too_large: ['This session is too large to share.', 'Remove large files, then try again.'],
	share_version: ['This share was made by a newer version.', 'Reload the page to get it, then open the link again.'],
	share_no_server: [
		'This site has no server, and the session is too large for a link alone.',
		'Save the zip or the patch and pass that on.'
	],
	share_server_error: ['The server could not do it just now.', 'Try again in a minute.'],
	share_offline: ['The server cannot be reached.', 'Check the connection and try again.'],
	share_unavailable: ['The server could not keep the share.', 'Try again; a small session needs no server.']
};

/** Names the parts use for the same thing. */
const ALIASES: Record<string, string> = {
	accessDenied: 'access_denied',
	contextLength: 'context_length',
	contentFilter: 'content_filter',
	invalidRequest: 'invalid_request',
	rateLimit: 'rate_limit',
	SessionNotFoundError: 'SessionNotFound',
	StorageFullError: 'QuotaExceededError',
	AbortError: 'cancelled',
	aborted: 'cancelled'
};

const SHARE_KEYS: Record<string, string> = { newer_version: 'share_version' };

const UNKNOWN_STEP = 'Try again; if it stays so, reload the page. Nothing that was saved is lost.';

/** The codes that have words of their own. */
export const EXPLAINED_CODES: readonly string[] = Object.keys(EXPLANATIONS);

/**
 * A sentence and a next step for anything that was thrown or stored as {@link import('../agent/events.ts').ErrorData}.
 * An unknown error keeps its own sentence, never a code alone.
 */
export function explain(error: unknown): Explanation {
	const { code, message } = identify(error);
	const detail = detailOf(error);
	// What is missing differs from browser to browser, so this one says it in its own words.
	if (code === 'EUNAVAILABLE' && message !== '') return { code, sentence: asSentence(message), nextStep: '', detail };
	const entry = EXPLANATIONS[keyOf(code, error)];
	if (entry) return { code, sentence: entry[0], nextStep: entry[1], detail };
	const sentence = message === '' ? 'Something went wrong.' : asSentence(message);
	return { code, sentence, nextStep: UNKNOWN_STEP, detail };
}

/** The code and the own words of an error, whatever its shape. */
export function identify(error: unknown): { code: string; message: string } {
	if (typeof error === 'string') return { code: 'unknown', message: error };
	if (typeof error !== 'object' || error === null) return { code: 'unknown', message: '' };
	const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
	const name = 'name' in error && typeof error.name === 'string' ? error.name : undefined;
	const message = 'message' in error && typeof error.message === 'string' ? error.message : '';
	return { code: code ?? name ?? 'unknown', message };
}

/** Several parts use the same code for things of their own; what else the error carries tells them apart. */
function keyOf(code: string, error: unknown): string {
	if (typeof error === 'object' && error !== null) {
		if ('name' in error && error.name === 'ShareError') return SHARE_KEYS[code] ?? `share_${code}`;
		if (code === 'not_found' && 'provider' in error) return 'model_not_found';
	}
	return ALIASES[code] ?? code;
}

function detailOf(error: unknown): string | undefined {
	if (typeof error !== 'object' || error === null || !('detail' in error)) return undefined;
	return typeof error.detail === 'string' && error.detail !== '' ? error.detail.slice(0, 500) : undefined;
}

function asSentence(message: string): string {
	const text = message.trim();
	return /[.!?…]$/.test(text) ? text : `${text}.`;
}

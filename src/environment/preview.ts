/**
 * Preview of an environment: displays a document or server of the project, and lets it be inspected and used. All text
 * that comes from it was written by the displayed page and is untrusted.
 *
 * Every method rejects with {@link PreviewError}, whose message is a sentence for a model, or with the signal's reason.
 */
export interface PreviewControl {
	/**
	 * The browser blocks a displayed page's network access in every known way, including WebRTC and name lookups.
	 */
	readonly isEnclosed: boolean;
	/**
	 * Displays a server that a command of the agent has started, unless something prevents it: a page that the agent has
	 * open, a user who is viewing something else, an earlier server. Absent: servers are not displayed automatically.
	 *
	 * @returns true if the server is displayed; never rejects
	 */
	offer?(port: number): Promise<boolean>;
	/** Displays another page, or reloads the same one, and waits until it settles. */
	open(target: PreviewAddress, signal: AbortSignal): Promise<PreviewPage>;
	/**
	 * Accessibility tree as text, with a ref for each element that can be acted on.
	 * @param selector default: the whole page
	 */
	snapshot(selector: string | undefined, signal: AbortSignal): Promise<PreviewSnapshot>;
	/** Performs the steps in order until one fails, then waits until the page settles. */
	act(steps: readonly PreviewStep[], signal: AbortSignal): Promise<PreviewActed>;
	/** Value of a JavaScript expression, or of the body of an async function, as JSON. */
	evaluate(script: string, signal: AbortSignal): Promise<string>;
	/** Screenshot of the page or of one element. Rejects if the browser cannot draw it. */
	screenshot(what: PreviewShot, signal: AbortSignal): Promise<PreviewPicture>;
	/** Output, errors and requests after the entry `since`; with 0, all that are still stored. */
	logs(since: number): PreviewLogs;
	/** Sets the size of the displayed page in CSS pixels; `null`: as large as its tab. */
	resize(size: PreviewSize | null, signal: AbortSignal): Promise<void>;
	/** Reloads the displayed page with these preferences, which also apply to later pages; `null`: the browser's own. */
	emulate(media: PreviewMedia | null, signal: AbortSignal): Promise<PreviewPage>;
	/** Clears the display. */
	close(): Promise<void>;
}

/** Answers one request from a program to the preview. Rejects with an error whose `code` the program gets. */
export type PreviewAnswerer = (request: string) => Promise<string>;

/** Reason why the preview could not do something: one sentence that includes the next step. */
export class PreviewError extends Error {
	override readonly name = 'PreviewError';
}

export interface PreviewSize {
	width: number;
	height: number;
}

/** User preferences that a page may query. An absent value is the browser's own. */
export interface PreviewMedia {
	colorScheme?: 'light' | 'dark' | undefined;
	reducedMotion?: 'reduce' | 'no-preference' | undefined;
}

export interface PreviewShot {
	/** See {@link PreviewControl.snapshot}; default: the page. */
	selector?: string | undefined;
	/** The whole page, not only the visible part. */
	isFull?: boolean | undefined;
}

export interface PreviewPicture extends PreviewSize {
	/** A PNG that the browser was able to read. */
	png: Uint8Array;
	/** Parts missing in the picture, one sentence each. */
	notes: string[];
}

/** A file of the project, relative to its root, or a port that a server listens on. */
export interface PreviewAddress {
	target: { path: string } | { port: number };
	/** Path and query on a server. Default `/`. */
	url?: string | undefined;
	size?: PreviewSize | undefined;
}

export interface PreviewPage {
	title: string;
	/** Path within the site. */
	address: string;
	/** False if it was still loading at the time limit. */
	isLoaded: boolean;
}

export interface PreviewSnapshot extends PreviewPage {
	tree: string;
}

/** An element: `e12` as in a snapshot, or a Playwright selector. */
export type PreviewStep =
	| { kind: 'click'; on: string; button?: 'left' | 'right' | 'middle' | undefined; count?: number | undefined }
	| { kind: 'fill'; on: string; text: string }
	| { kind: 'type'; on?: string | undefined; text: string }
	| { kind: 'press'; on?: string | undefined; key: string }
	| { kind: 'select'; on: string; values: readonly string[] }
	| { kind: 'check' | 'uncheck' | 'hover' | 'focus'; on: string }
	| { kind: 'drag'; on: string; to: string }
	| { kind: 'scroll'; on?: string | undefined; x: number; y: number }
	| { kind: 'wait_for'; on?: string | undefined; text?: string | undefined; gone?: boolean | undefined }
	/** Selects files of the project in a file input, by paths relative to its root. */
	| { kind: 'upload'; on: string; paths: readonly string[] }
	| { kind: 'dialog'; accept: boolean; text?: string | undefined };

export interface PreviewActed extends PreviewSnapshot {
	/** Steps that were performed. */
	done: number;
	/** Reason why the next step failed. */
	failure?: string | undefined;
}

export interface PreviewLogs {
	entries: PreviewLogEntry[];
	/** Value for `since` to get only later entries. */
	last: number;
}

export interface PreviewLogEntry {
	id: number;
	kind: 'log' | 'info' | 'warn' | 'error' | 'debug' | 'request';
	text: string;
	/** `src/app.js:3:7`; empty if unknown. */
	place: string;
	/** Number of consecutive occurrences. */
	count: number;
}

import type { PreviewSize, PreviewStep } from './preview.ts';

/** Requests of a program that tests a served page in the preview. Each gets one {@link TestAnswer}. */
export type TestRequest =
	/** Starts a browser context with its own storage and cookies and nothing displayed. */
	| { do: 'begin'; context: string; size: PreviewSize | null }
	/** Opens an address on a server of this computer and waits until it is loaded. */
	| { do: 'go'; port: number; url: string; withinMs: number }
	| { do: 'reload'; withinMs: number }
	/** Waits until a pending navigation has loaded its document. */
	| { do: 'settle'; withinMs: number }
	| { do: 'probe'; probe: TestProbe; withinMs: number }
	| { do: 'step'; step: TestStep; withinMs: number }
	| { do: 'picture'; selector: string | null; isFull: boolean }
	| { do: 'resize'; size: PreviewSize }
	/** Output and requests of the page after the entry `since`. */
	| { do: 'logs'; since: number }
	/** Clears the display. */
	| { do: 'end' };

/** An action of the agent's tool, or files for an input. Selectors are Playwright's and mean one element. */
export type TestStep =
	| Exclude<PreviewStep, { kind: 'upload' }>
	| { kind: 'upload'; on: string; files: TestFile[] }
	/** Sets the answers for the next dialogs, replacing earlier ones. */
	| { kind: 'answer'; answers: { accept: boolean; text?: string | undefined }[] };

export interface TestFile {
	name: string;
	type: string;
	/** Base64. */
	content: string;
}

/** Queries the page's current state for a test. Never waits. */
export type TestProbe =
	| { kind: 'expect'; selector: string | null; check: TestCheck }
	/** Asks whether the only match has a state. */
	| { kind: 'state'; selector: string; state: 'visible' | 'hidden' | 'enabled' | 'disabled' | 'editable' | 'checked' }
	/**
	 * Value that a function of the page returns, as JSON.
	 * @param on absent: called with the argument alone; `first`, `all`: called with the selector's first match or all
	 * matches, then the argument
	 */
	| { kind: 'evaluate'; source: string; argument: string; selector: string | null; on: 'page' | 'first' | 'all' };

/** An assertion in the form that Playwright's injected script expects. */
export interface TestCheck {
	expression: string;
	isNot: boolean;
	expectedText?: TestText[] | undefined;
	expectedNumber?: number | undefined;
	/** JSON. */
	expectedValue?: string | undefined;
	expressionArg?: string | undefined;
	useInnerText?: boolean | undefined;
}

export interface TestText {
	string?: string | undefined;
	regexSource?: string | undefined;
	regexFlags?: string | undefined;
	matchSubstring?: boolean | undefined;
	ignoreCase?: boolean | undefined;
	normalizeWhiteSpace?: boolean | undefined;
}

/** Answer to a probe. All text comes from the page under test. */
export interface ProbeAnswer {
	/** Number of elements that the selector finds. */
	count: number;
	/** First match as a tag; empty if there is none. */
	element: string;
	/** Reason why the probe is not meaningful, e.g. several matches where one was expected. */
	error?: string | undefined;
	/** True if the assertion, or the state, holds. */
	isMatch?: boolean | undefined;
	/** Actual value, or that of a function, as JSON. Absent: `undefined`. */
	value?: string | undefined;
}

export interface TestPageState {
	title: string;
	/** Path, query and fragment. */
	address: string;
	isLoaded: boolean;
	/** Status of the document's request; `null` if there was none. */
	status: number | null;
}

export interface TestLogEntry {
	id: number;
	kind: 'log' | 'info' | 'warn' | 'error' | 'debug' | 'request';
	text: string;
	place: string;
}

export interface TestPicture {
	/** Base64. */
	png: string;
	notes: string[];
}

export interface TestAnswers {
	begin: null;
	go: TestPageState;
	reload: TestPageState;
	settle: TestPageState;
	probe: ProbeAnswer;
	step: null;
	picture: TestPicture;
	resize: null;
	logs: { entries: TestLogEntry[]; last: number };
	end: null;
}

/** Answer to a request: its value, or a sentence that describes the error. */
export type TestAnswer<Do extends TestRequest['do'] = TestRequest['do']> =
	{ ok: true; value: TestAnswers[Do] } | { ok: false; message: string };

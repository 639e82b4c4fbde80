import type { PreviewSize, PreviewStep } from './preview.ts';

/** Requests of a program that tests a served page in the preview. Each is answered by one {@link TestAnswer}. */
export type TestRequest =
	/** Begins a browser context: storage and cookies of its own, nothing displayed. */
	| { do: 'begin'; context: string; size: PreviewSize | null }
	/** Opens an address on a server of this computer and waits until it is loaded. */
	| { do: 'go'; port: number; url: string; withinMs: number }
	| { do: 'reload'; withinMs: number }
	/** Waits until a document that is on its way is there, and loaded. */
	| { do: 'settle'; withinMs: number }
	| { do: 'probe'; probe: TestProbe; withinMs: number }
	| { do: 'step'; step: TestStep; withinMs: number }
	| { do: 'picture'; selector: string | null; isFull: boolean }
	| { do: 'resize'; size: PreviewSize }
	/** Output and requests of the page after the entry `since`. */
	| { do: 'logs'; since: number }
	/** Displays nothing any more. */
	| { do: 'end' };

/** An action of the agent's tool, or files for an input. Selectors are Playwright's and mean one element. */
export type TestStep =
	| Exclude<PreviewStep, { kind: 'upload' }>
	| { kind: 'upload'; on: string; files: TestFile[] }
	/** Replaces the answers for the next dialogs. */
	| { kind: 'answer'; answers: { accept: boolean; text?: string | undefined }[] };

export interface TestFile {
	name: string;
	type: string;
	/** Base64. */
	content: string;
}

/** Question of a test about the page at this moment. Nothing here waits. */
export type TestProbe =
	| { kind: 'expect'; selector: string | null; check: TestCheck }
	/** Asks whether the only match has a state. */
	| { kind: 'state'; selector: string; state: 'visible' | 'hidden' | 'enabled' | 'disabled' | 'editable' | 'checked' }
	/**
	 * Value of a function of the page, as JSON.
	 * @param on absent: called with the argument alone; `first`, `all`: with what the selector finds before it
	 */
	| { kind: 'evaluate'; source: string; argument: string; selector: string | null; on: 'page' | 'first' | 'all' };

/** An assertion as Playwright's script for pages takes it. */
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

/** Answer to a probe. Every text was written by the page under test. */
export interface ProbeAnswer {
	/** Number of elements that the selector finds. */
	count: number;
	/** The first of them as a tag; empty where there is none. */
	element: string;
	/** Reason why the probe means nothing, e.g. several elements where one was asked for. */
	error?: string | undefined;
	/** True if the assertion, or the state, holds. */
	isMatch?: boolean | undefined;
	/** Value found instead, or that of a function, as JSON. Absent: `undefined`. */
	value?: string | undefined;
}

export interface TestPageState {
	title: string;
	/** Path, query and fragment. */
	address: string;
	isLoaded: boolean;
	/** Status of the document's request; `null` where none was made. */
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

/** Answer to a request: its value, or a sentence that says what went wrong. */
export type TestAnswer<Do extends TestRequest['do'] = TestRequest['do']> =
	{ ok: true; value: TestAnswers[Do] } | { ok: false; message: string };

/** What a host gives of a page on the web. */
export interface FetchedPage {
	status: number;
	/** As the server says it, e.g. `text/html; charset=utf-8`. */
	contentType: string;
	/** Where redirects ended. */
	url: string;
	text: string;
}

/** The host's way to the web, with its own rules about who may be asked. Rejects with a sentence when it refuses. */
export interface FetchPage {
	(url: string, signal: AbortSignal): Promise<FetchedPage>;
	/** The host asks about each new place itself, so that the person is not asked twice. */
	asksThePerson?: boolean;
}

/** A web page as the host returns it. */
export interface FetchedPage {
	status: number;
	/** Value of the Content-Type header, e.g. `text/html; charset=utf-8`. */
	contentType: string;
	/** Final address after redirects. */
	url: string;
	text: string;
}

/** The host's way to the web, with its own rules about who may be asked. Rejects with a sentence when it refuses. */
export interface FetchPage {
	(url: string, signal: AbortSignal): Promise<FetchedPage>;
	/** Set if the host asks about each new host itself, so that the user is not asked twice. */
	asksUser?: boolean;
}

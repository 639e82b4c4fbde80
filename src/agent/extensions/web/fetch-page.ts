/** A web page as the host returns it. */
export interface FetchedPage {
	status: number;
	/** Value of the Content-Type header, e.g. `text/html; charset=utf-8`. */
	contentType: string;
	/** Final address after redirects. */
	url: string;
	text: string;
}

/** Host's access to the web, with its own rules about which hosts are allowed. Rejects with a message if it refuses. */
export interface FetchPage {
	(url: string, signal: AbortSignal): Promise<FetchedPage>;
	/** Set if this function itself asks about each new host, so that the user is not asked twice. */
	asksUser?: boolean;
}

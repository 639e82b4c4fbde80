import type { LocalResponse, LocalWebSocket, WebSocketRequest } from '#environment/contract.ts';

/** A request of the displayed site, as received from the service worker. */
export interface SiteRequest {
	method: string;
	/** Path and query. */
	target: string;
	headers: [name: string, value: string][];
	body: Uint8Array | null;
	/** True for a document, false for a resource. */
	isNavigation: boolean;
}

/** Answers requests for a site: from files, or from a server in the sandbox. */
export interface Site {
	answer(request: SiteRequest): Promise<LocalResponse>;
	/** Absent if the site accepts no WebSockets. Rejects if the server does not. */
	webSocket?(request: WebSocketRequest): Promise<LocalWebSocket>;
}

/** Creates a complete response. */
export function whole(status: number, type: string, content: string | Uint8Array): LocalResponse {
	const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
	return {
		status,
		statusText: '',
		headers: [['content-type', type]],
		body: (async function* () {
			if (bytes.length > 0) yield bytes;
		})()
	};
}

/** Creates a short document for users if there is nothing else to show. */
export function notice(status: number, title: string, sentence: string): LocalResponse {
	const escape = (text: string): string => text.replace(/[&<]/g, (character) => (character === '&' ? '&amp;' : '&lt;'));
	const style = 'font: 15px/1.5 system-ui, sans-serif; margin: 15vh auto; max-width: 30em; padding: 0 1em';
	const html = `<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light dark"><body style="${style}"><h1 style="font-size:18px">${escape(title)}</h1><p>${escape(sentence)}</p>`;
	return whole(status, 'text/html; charset=utf-8', html);
}

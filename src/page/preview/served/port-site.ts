import type { LocalResponse, LocalServers, LocalWebSocket, WebSocketRequest } from '#environment/contract.ts';
import { t } from '../../strings/index.ts';
import { mediaType } from '../media-types.ts';
import { notice, type Site, type SiteRequest } from './answer.ts';
import { CookieJar } from './cookie-jar.ts';
import { withObserver } from './with-observer.ts';

/** Headers that concern the connection, or would apply to the preview's origin instead of the server's. */
const NOT_PASSED_ON =
	/^(set-cookie2?|content-length|transfer-encoding|connection|keep-alive|strict-transport-security|clear-site-data|service-worker-allowed|content-encoding)$/i;

/** A server that listens in the sandbox. */
export class PortSite implements Site {
	readonly #cookies = new CookieJar();

	constructor(
		private readonly servers: LocalServers,
		private readonly port: number,
		/** First script of a document that is about to be displayed. */
		private readonly driver: () => string = () => ''
	) {}

	async answer({ method, target, headers, body, isNavigation }: SiteRequest): Promise<LocalResponse> {
		const cookie = this.#cookies.header(target);
		const sent = headers.filter(([name]) => !/^(cookie|host|accept-encoding)$/i.test(name));
		if (cookie !== '') sent.push(['Cookie', cookie]);
		let response: LocalResponse;
		try {
			response = await this.servers.fetch(this.port, { method, target, headers: sent, body });
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			return notice(502, t.preview.noServer(this.port), t.preview.noServerWhy(reason));
		}
		const { status, statusText } = response;
		for (const [name, value] of response.headers) if (/^set-cookie$/i.test(name)) this.#cookies.set(value, target);
		const kept = response.headers
			.filter(([name]) => !NOT_PASSED_ON.test(name))
			.map(([name, value]): [string, string] => [name, /^location$/i.test(name) ? this.#ownAddress(value) : value]);
		const header = (wanted: string): string =>
			response.headers.find(([name]) => name.toLowerCase() === wanted)?.[1].toLowerCase() ?? '';
		const decoded = decode(response.body, header('content-encoding'));
		const named = header('content-type');
		const { type, body: answered } = named === '' ? await sniff(decoded, target) : { type: named, body: decoded };
		if (named === '') kept.push(['content-type', type]);
		const isDocument = isNavigation && type.startsWith('text/html') && method !== 'HEAD';
		return { status, statusText, headers: kept, body: isDocument ? withObserver(answered, this.driver()) : answered };
	}

	webSocket(request: WebSocketRequest): Promise<LocalWebSocket> {
		const cookie = this.#cookies.header(request.target);
		// As a browser sends it for a page of the server itself.
		const headers: [string, string][] = [['Origin', `http://localhost:${this.port}`]];
		if (cookie !== '') headers.push(['Cookie', cookie]);
		return this.servers.webSocket(this.port, { ...request, headers });
	}

	/** Keeps redirects of the server to itself in the preview. */
	#ownAddress(location: string): string {
		const local = /^https?:\/\/(localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])(:(\d+))?(?=\/|$)/i.exec(location);
		return local && Number(local[3] ?? 80) === this.port ? location.slice(local[0].length) || '/' : location;
	}
}

/** Guesses the media type of a body without one: by its name, or by its first bytes. */
async function sniff(
	body: AsyncIterable<Uint8Array>,
	target: string
): Promise<{ type: string; body: AsyncIterable<Uint8Array> }> {
	const byName = mediaType(target.replace(/[?#].*$/, ''));
	if (byName !== mediaType('')) return { type: byName, body };
	const chunks = body[Symbol.asyncIterator]();
	const first = await chunks.next();
	const start = new TextDecoder().decode(first.done ? undefined : first.value.subarray(0, 200));
	const type = /^\s*</.test(start) ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8';
	const again = async function* () {
		try {
			for (let each = first; !each.done; each = await chunks.next()) yield each.value;
		} finally {
			await chunks.return?.();
		}
	};
	return { type, body: again() };
}

function decode(body: AsyncIterable<Uint8Array>, encoding: string): AsyncIterable<Uint8Array> {
	if (encoding !== 'gzip' && encoding !== 'deflate') return body;
	return pieces(body, new DecompressionStream(encoding));
}

async function* pieces(body: AsyncIterable<Uint8Array>, through: DecompressionStream): AsyncGenerator<Uint8Array> {
	const writer = through.writable.getWriter();
	const written = (async () => {
		for await (const chunk of body) await writer.write(chunk.slice());
		await writer.close();
	})();
	const reader = through.readable.getReader();
	for (;;) {
		const { done, value } = await reader.read();
		if (done) break;
		yield value;
	}
	await written;
}

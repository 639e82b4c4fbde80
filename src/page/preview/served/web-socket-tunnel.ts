/**
 * Runs inside the documents of a server's preview, before any of their scripts: a service worker sees no WebSockets, so
 * those to the document's own server are sent to the page as messages, and all others are left to the browser, whose
 * policy refuses them. Its source text is sent, so it uses nothing from outside itself.
 */
export function tunnelWebSockets(): void {
	const Native = window.WebSocket;
	const parentWindow = window.parent;
	const post = parentWindow.postMessage.bind(parentWindow);
	const STATES = { CONNECTING: 0, OPEN: 1, CLOSING: 2, CLOSED: 3 };

	class TunnelledWebSocket extends EventTarget {
		url = '';
		protocol = '';
		extensions = '';
		readyState = STATES.CONNECTING;
		bufferedAmount = 0;
		binaryType: BinaryType = 'blob';
		onopen = null;
		onmessage = null;
		onerror = null;
		onclose = null;
		port!: MessagePort;
		/** A blob's bytes are read asynchronously: later messages wait. */
		sent: Promise<unknown> = Promise.resolve();

		constructor(given: string | URL, protocols: string | string[] = []) {
			const url = new URL(given, location.href);
			url.protocol = url.protocol.replace(/^http/, 'ws');
			const isOwn = url.host === location.host || /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
			// A different server or an invalid URL: left to the browser.
			if (!isOwn || !/^wss?:$/.test(url.protocol) || url.hash !== '') return new Native(given, protocols) as never;
			super();
			this.url = url.href;
			const { port1, port2 } = new MessageChannel();
			this.port = port1;
			port1.onmessage = ({ data }) => this.take(data);
			// A document that is closed closes its sockets, with the code for that.
			window.addEventListener('pagehide', () => {
				if (this.readyState < STATES.CLOSING) port1.postMessage({ type: 'close', code: 1001, reason: '' });
			});
			const target = url.pathname + url.search;
			post({ sandglassSocket: { target, protocols: [protocols].flat() } }, '*', [port2]);
		}

		take(data: { type: string; [field: string]: unknown }): void {
			if (data.type === 'open') {
				this.protocol = String(data['protocol']);
				if (this.readyState !== STATES.CONNECTING) return;
				this.readyState = STATES.OPEN;
				this.tell(new Event('open'));
			} else if (data.type === 'message') {
				if (this.readyState !== STATES.OPEN) return;
				const bytes = data['data'];
				const isBlob = bytes instanceof ArrayBuffer && this.binaryType === 'blob';
				this.tell(
					new MessageEvent('message', { data: isBlob ? new Blob([bytes]) : bytes, origin: new URL(this.url).origin })
				);
			} else {
				const wasClean = data['isClean'] === true;
				this.readyState = STATES.CLOSED;
				this.port.close();
				if (!wasClean) this.tell(new Event('error'));
				this.tell(new CloseEvent('close', { code: Number(data['code']), reason: String(data['reason']), wasClean }));
			}
		}

		tell(event: Event): void {
			this.dispatchEvent(event);
			const handler: unknown = Reflect.get(this, `on${event.type}`);
			if (typeof handler === 'function') Reflect.apply(handler, this, [event]);
		}

		send(data: string | ArrayBufferLike | ArrayBufferView | Blob): void {
			if (this.readyState === STATES.CONNECTING)
				throw new DOMException('Still in CONNECTING state.', 'InvalidStateError');
			const put = (each: string | ArrayBuffer): void => this.port.postMessage({ type: 'send', data: each });
			if (data instanceof Blob) this.sent = Promise.all([data.arrayBuffer(), this.sent]).then(([bytes]) => put(bytes));
			else {
				const copy =
					typeof data === 'string'
						? data
						: (ArrayBuffer.isView(data)
								? new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice()
								: new Uint8Array(data).slice()
							).buffer;
				this.sent = this.sent.then(() => put(copy));
			}
		}

		close(code?: number, reason = ''): void {
			if (code !== undefined && code !== 1000 && !(code >= 3000 && code <= 4999))
				throw new DOMException(`The close code must be 1000 or from 3000 to 4999, not ${code}.`, 'InvalidAccessError');
			if (this.readyState >= STATES.CLOSING) return;
			this.readyState = STATES.CLOSING;
			this.sent = this.sent.then(() => this.port.postMessage({ type: 'close', code, reason }));
		}
	}
	for (const holder of [TunnelledWebSocket, TunnelledWebSocket.prototype])
		for (const [name, value] of Object.entries(STATES))
			Object.defineProperty(holder, name, { value, enumerable: true });
	Object.defineProperty(TunnelledWebSocket, 'name', { value: 'WebSocket' });
	Object.defineProperty(window, 'WebSocket', { value: TunnelledWebSocket, configurable: true, writable: true });
}

export const tunnelScript = (): string => `<script>(${tunnelWebSockets.toString()})()</script>`;

import { sha1 } from '@noble/hashes/legacy.js';
import type { LocalWebSocket, WebSocketEnd, WebSocketRequest } from '#environment/contract.ts';
import type { Connection } from './exchange.ts';
import { HttpParser, type MessageHead } from './parser.ts';
import { clientFrame, FrameReader, MAX_MESSAGE_BYTES, Opcode, WebSocketProtocolError } from './web-socket-frames.ts';

/** Constant that a server appends to the key to confirm the handshake. RFC 6455, section 1.3. */
const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const NO_STATUS = 1005;
const BROKEN_OFF = 1006;

/**
 * Opens a WebSocket over a byte connection, as a client. Rejects if the server refuses, with the status of its answer
 * in the message; the connection is closed then.
 */
export async function openWebSocket(
	connection: Connection,
	host: string,
	request: WebSocketRequest
): Promise<LocalWebSocket> {
	try {
		const { head, rest } = await shakeHands(connection, host, request);
		const protocol = valueOf(head, 'sec-websocket-protocol');
		return new ClientSocket(connection, protocol, rest, request);
	} catch (error) {
		connection.close();
		throw error;
	}
}

const valueOf = ({ headers }: MessageHead, wanted: string): string =>
	headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '';
const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

async function shakeHands(
	connection: Connection,
	host: string,
	{ target, protocols, headers }: WebSocketRequest
): Promise<{ head: MessageHead; rest: Uint8Array }> {
	const key = base64(crypto.getRandomValues(new Uint8Array(16)));
	const lines = [
		['Host', host],
		['Upgrade', 'websocket'],
		['Connection', 'Upgrade'],
		['Sec-WebSocket-Version', '13'],
		['Sec-WebSocket-Key', key],
		...(protocols.length > 0 ? [['Sec-WebSocket-Protocol', protocols.join(', ')]] : []),
		...headers
	].map(([name, value = '']) => `${name}: ${value.replace(/[\r\n]+/g, ' ')}\r\n`);
	const text = `GET ${target.replace(/\s/g, '%20')} HTTP/1.1\r\n${lines.join('')}\r\n`;
	await connection.write(new TextEncoder().encode(text));
	const answer: { head: MessageHead | null } = { head: null };
	const parser = new HttpParser('response', {
		head: (found) => {
			answer.head = found;
			return 'upgrade';
		},
		body: () => {},
		end: () => {}
	});
	while (!answer.head) {
		const bytes = await connection.read();
		if (bytes.length === 0) throw new Error('the server closed the connection without an answer');
		parser.write(bytes);
	}
	const { head } = answer;
	if (head.status !== 101) throw new Error(`the server answered ${head.status} ${head.statusText}`.trim());
	const expected = base64(sha1(new TextEncoder().encode(key + MAGIC)));
	if (valueOf(head, 'sec-websocket-accept') !== expected) throw new Error('the server did not accept the WebSocket');
	const chosen = valueOf(head, 'sec-websocket-protocol');
	if (chosen !== '' && !protocols.includes(chosen))
		throw new Error(`the server chose ${chosen}, which was not offered`);
	return { head, rest: parser.rest };
}

class ClientSocket implements LocalWebSocket {
	readonly #frames = new FrameReader();
	#parts: Uint8Array[] = [];
	#opcode = 0;
	#closeSent = false;
	#end: WebSocketEnd | null = null;

	constructor(
		private readonly connection: Connection,
		readonly protocol: string,
		rest: Uint8Array,
		private readonly events: Pick<WebSocketRequest, 'onMessage' | 'onEnd'>
	) {
		// The caller receives the socket before the first message.
		queueMicrotask(() => void this.#run(rest));
	}

	send(message: string | Uint8Array): void {
		if (this.#closeSent) return;
		if (typeof message === 'string') this.#write(Opcode.text, new TextEncoder().encode(message));
		else this.#write(Opcode.binary, message);
	}

	close(code = NO_STATUS, reason = ''): void {
		if (this.#closeSent) return;
		const words = new TextEncoder().encode(reason).subarray(0, 123);
		const payload = new Uint8Array(code === NO_STATUS ? 0 : 2 + words.length);
		if (code !== NO_STATUS) {
			new DataView(payload.buffer).setUint16(0, code);
			payload.set(words, 2);
		}
		this.#write(Opcode.close, payload);
		this.#closeSent = true;
	}

	async #run(rest: Uint8Array): Promise<void> {
		try {
			for (let bytes = rest; ; bytes = await this.connection.read()) {
				if (bytes.length === 0 && bytes !== rest) break;
				for (const frame of this.#frames.read(bytes)) this.#take(frame);
				if (this.#end) break;
			}
		} catch (error) {
			const code = error instanceof WebSocketProtocolError ? error.code : BROKEN_OFF;
			if (code !== BROKEN_OFF) this.close(code);
			this.#end ??= { code: BROKEN_OFF, reason: error instanceof Error ? error.message : '', isClean: false };
		}
		this.#closeSent = true;
		this.connection.close();
		this.events.onEnd(this.#end ?? { code: BROKEN_OFF, reason: '', isClean: false });
	}

	#take({ opcode, isLast, payload }: { opcode: number; isLast: boolean; payload: Uint8Array }): void {
		if (opcode === Opcode.ping) return this.#write(Opcode.pong, payload);
		if (opcode === Opcode.pong) return;
		if (opcode === Opcode.close) {
			const code = payload.length >= 2 ? new DataView(payload.buffer, payload.byteOffset).getUint16(0) : NO_STATUS;
			this.close(code);
			this.#end = { code, reason: new TextDecoder().decode(payload.subarray(2)), isClean: true };
			return;
		}
		if (opcode !== Opcode.more) {
			this.#opcode = opcode;
			this.#parts = [];
		}
		this.#parts.push(payload);
		const size = this.#parts.reduce((sum, part) => sum + part.length, 0);
		if (size > MAX_MESSAGE_BYTES) throw new WebSocketProtocolError(1009, 'The server sent too long a message.');
		if (!isLast) return;
		const whole = new Uint8Array(size);
		let at = 0;
		for (const part of this.#parts) {
			whole.set(part, at);
			at += part.length;
		}
		this.#parts = [];
		if (this.#opcode === Opcode.text) this.events.onMessage(new TextDecoder().decode(whole));
		else this.events.onMessage(whole);
	}

	#write(opcode: number, payload: Uint8Array): void {
		this.connection.write(clientFrame(opcode, payload)).catch(() => {
			// The reading side notices that the connection is gone, and reports it.
		});
	}
}

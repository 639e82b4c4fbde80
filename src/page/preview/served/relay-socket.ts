import * as z from 'zod/mini';
import type { LocalWebSocket } from '#environment/contract.ts';
import type { Site } from './answer.ts';

const FromDocument = z.union([
	z.object({ type: z.literal('send'), data: z.union([z.string(), z.instanceof(ArrayBuffer)]) }),
	z.object({ type: z.literal('close'), code: z.optional(z.int()), reason: z.string() })
]);

/** Forwards one WebSocket of a displayed document, connected by `port`, to its server. Never throws. */
export async function relaySocket(port: MessagePort, site: Site, target: string, protocols: string[]): Promise<void> {
	let socket: LocalWebSocket | null = null;
	let isOver = false;
	const end = (code: number, reason: string, isClean: boolean): void => {
		if (isOver) return;
		isOver = true;
		port.postMessage({ type: 'end', code, reason, isClean });
		port.close();
	};
	/** True if it was closed before it was open. */
	let isUnwanted = false;
	port.onmessage = ({ data }: MessageEvent<unknown>) => {
		const parsed = z.safeParse(FromDocument, data);
		if (!parsed.success) return;
		if (parsed.data.type === 'close') {
			isUnwanted = true;
			socket?.close(parsed.data.code, parsed.data.reason);
		} else socket?.send(typeof parsed.data.data === 'string' ? parsed.data.data : new Uint8Array(parsed.data.data));
	};
	try {
		if (!site.webSocket) throw new Error('these are files only');
		socket = await site.webSocket({
			target,
			protocols,
			headers: [],
			onMessage: (message) => {
				if (isOver) return;
				const data = typeof message === 'string' ? message : message.slice().buffer;
				port.postMessage({ type: 'message', data }, typeof data === 'string' ? [] : [data]);
			},
			onEnd: ({ code, reason, isClean }) => end(code, reason, isClean)
		});
		port.postMessage({ type: 'open', protocol: socket.protocol });
		if (isUnwanted) socket.close();
	} catch {
		// The cause is hidden from the document, as in every browser.
		end(1006, '', false);
	}
}

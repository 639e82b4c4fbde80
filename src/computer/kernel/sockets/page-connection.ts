import type { SocketEnd } from './socket.ts';

const READ_BYTES = 64 * 1024;

/**
 * Passes one end of a connection to the page as a message port. Bytes are sent as `Uint8Array`s, an empty one ends a
 * direction; each is acknowledged with its length before the next is sent. `null` closes the connection.
 */
export function pageConnection(socket: SocketEnd): MessagePort {
	const { port1, port2 } = new MessageChannel();
	socket.retain();
	let isOpen = true;
	const close = () => {
		if (!isOpen) return;
		isOpen = false;
		port1.postMessage(null);
		socket.release();
		setTimeout(() => port1.close());
	};
	const send = async () => {
		if (!isOpen) return;
		const bytes = (await socket.read(READ_BYTES, null)).slice();
		if (isOpen) port1.postMessage(bytes, [bytes.buffer]);
	};
	const take = async (bytes: Uint8Array) => {
		if (bytes.length === 0) socket.shut();
		else await socket.write(bytes, null);
		if (isOpen) port1.postMessage(bytes.length);
	};
	port1.onmessage = ({ data }: MessageEvent<unknown>) => {
		if (data === null) close();
		else if (data instanceof Uint8Array) take(data).catch(close);
		else if (typeof data === 'number' && data > 0) send().catch(close);
	};
	void send().catch(close);
	return port2;
}

import type { Channel } from './channel.ts';

/** Part of a WebSocket that a channel needs; fits browsers' WebSocket and the package `ws`. */
interface SocketLike {
	binaryType: string;
	readonly readyState: number;
	send(data: Uint8Array<ArrayBuffer>): void;
	close(code?: number, reason?: string): void;
	addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
	addEventListener(type: 'close', listener: (event: { reason: string }) => void): void;
	addEventListener(type: 'error', listener: () => void): void;
}

const OPEN = 1;
/** Maximum bytes of a close frame's reason (RFC 6455, section 5.5). */
const MAX_REASON = 120;

/** Adapts an open WebSocket. */
export function webSocketChannel(socket: SocketLike): Channel {
	socket.binaryType = 'arraybuffer';
	return {
		send: (frame) => {
			if (socket.readyState === OPEN) socket.send(frame);
		},
		listen: ({ onFrame, onClose }) => {
			socket.addEventListener('message', ({ data }) => {
				if (data instanceof ArrayBuffer) onFrame(new Uint8Array(data));
				else socket.close(1003, 'Only binary messages are accepted.');
			});
			socket.addEventListener('close', ({ reason }) => onClose(reason));
			socket.addEventListener('error', () => undefined);
		},
		close: (reason = '') => socket.close(1000, reason.slice(0, MAX_REASON))
	};
}

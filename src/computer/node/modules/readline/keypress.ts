import type { Readable } from 'node:stream';
import { StringDecoder } from '../string-decoder.ts';
import { type Key, KeyDecoder } from './key-decoder.ts';

/** Time after which a single escape character counts as the Escape key. */
const ESCAPE_MS = 500;
const watched = new WeakSet<Readable>();

/** Makes `stream` emit `keypress` for each key while there is a listener. */
export function emitKeypressEvents(
	stream: Readable,
	rl?: { escapeCodeTimeout?: number; _sawKeyPress?: boolean }
): void {
	if (watched.has(stream)) return;
	watched.add(stream);
	const text = new StringDecoder('utf8');
	const decoder = new KeyDecoder();
	let timer: ReturnType<typeof setTimeout> | undefined;
	const tell = (keys: Key[]) => {
		for (const key of keys) {
			const isText = !key.meta && key.code === undefined;
			stream.emit('keypress', isText ? key.sequence : undefined, key);
		}
	};
	const arrived = (chunk: Uint8Array | string) => {
		if (stream.listenerCount('keypress') === 0) {
			stream.off('data', arrived);
			stream.on('newListener', wanted);
			return;
		}
		clearTimeout(timer);
		const typed = typeof chunk === 'string' ? chunk : text.write(chunk as Buffer);
		if (rl) rl._sawKeyPress = [...typed].length === 1;
		tell(decoder.push(typed));
		if (decoder.isWaiting) timer = setTimeout(() => tell(decoder.giveUp()), rl?.escapeCodeTimeout ?? ESCAPE_MS);
	};
	const wanted = (event: string | symbol) => {
		if (event !== 'keypress') return;
		stream.off('newListener', wanted);
		stream.on('data', arrived);
	};
	if (stream.listenerCount('keypress') > 0) stream.on('data', arrived);
	else stream.on('newListener', wanted);
}

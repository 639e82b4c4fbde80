import type { FromThread, ThreadStart } from './messages.ts';
import { takeMail } from './port-mail.ts';

export type { ThreadStart };

/**
 * Returns the start data of this thread; waits for the program that started it. @throws Error if there is none
 */
export function threadStart(channel: MessagePort | null): Promise<ThreadStart> {
	if (!channel) return Promise.reject(new Error('--sandglass-thread is for new Worker() only'));
	return new Promise((resolve) => {
		channel.onmessage = ({ data }: MessageEvent<ThreadStart>) => {
			const online: FromThread = { kind: 'online' };
			channel.postMessage(online);
			takeMail(data.mail);
			resolve(data);
		};
	});
}

/** Passes an uncaught error to the `Worker` object, which emits `error`. */
export function threadFailure(channel: MessagePort | null): ((error: unknown) => void) | null {
	if (!channel) return null;
	return (error) => {
		try {
			channel.postMessage({ kind: 'error', error } satisfies FromThread);
		} catch {
			// Something in it cannot be cloned, for example a function: send its message.
			const text = error instanceof Error ? error : new Error(String(error));
			const plain = Object.assign(new Error(text.message), { name: text.name, stack: text.stack });
			channel.postMessage({ kind: 'error', error: plain } satisfies FromThread);
		}
	};
}

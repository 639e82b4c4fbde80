/** Runs in the page: records what the page posts to any frame or worker, as text. */
export function recordMessages(): void {
	const sent: string[] = [];
	const add = (value: unknown, seen: Set<unknown>): void => {
		if (typeof value === 'string') sent.push(value);
		else if (value instanceof ArrayBuffer) sent.push(new TextDecoder('latin1').decode(value));
		else if (ArrayBuffer.isView(value)) sent.push(new TextDecoder('latin1').decode(value));
		else if (typeof value === 'object' && value !== null && !seen.has(value)) {
			seen.add(value);
			for (const [key, inner] of value instanceof Map ? value : Object.entries(value)) {
				add(key, seen);
				add(inner, seen);
			}
		}
	};
	for (const { prototype } of [MessagePort, Worker, Window]) {
		const original = prototype.postMessage as (...args: unknown[]) => void;
		Object.defineProperty(prototype, 'postMessage', {
			value(this: unknown, ...args: unknown[]) {
				add(args[0], new Set());
				original.apply(this, args);
			}
		});
	}
	Object.defineProperty(window, 'messagesSent', { value: sent });
}

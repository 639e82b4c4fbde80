import type { AskPermission, PermissionDecision } from '../agent/guards/permission-types.ts';

/** Where the agent's questions wait for the person's answer. */
export class PermissionDesk {
	#open = new Map<string, (decision: PermissionDecision) => void>();

	/** @param onChange called when a question is put or settled */
	constructor(private readonly onChange: () => void) {}

	/** Whether anything waits. */
	get waiting(): boolean {
		return this.#open.size > 0;
	}

	isOpen(requestId: string): boolean {
		return this.#open.has(requestId);
	}

	readonly ask: AskPermission = (request, signal) =>
		new Promise((resolve, reject) => {
			const settle = (): void => {
				this.#open.delete(request.requestId);
				signal.removeEventListener('abort', onAbort);
				this.onChange();
			};
			const onAbort = (): void => {
				settle();
				reject(signal.reason instanceof Error ? signal.reason : new DOMException('Stopped', 'AbortError'));
			};
			if (signal.aborted) return onAbort();
			signal.addEventListener('abort', onAbort);
			this.#open.set(request.requestId, (decision) => {
				settle();
				resolve(decision);
			});
			this.onChange();
		});

	/** Answers; a question that is not open any more is left alone. */
	decide(requestId: string, decision: PermissionDecision): void {
		this.#open.get(requestId)?.(decision);
	}
}

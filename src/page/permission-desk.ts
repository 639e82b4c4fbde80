import type { AskPermission, PermissionDecision } from '#agent/guards/permission-types.ts';

/** Holds the agent's permission requests until the user answers them. */
export class PermissionDesk {
	#open = new Map<string, (decision: PermissionDecision) => void>();

	/** @param onChange called when a request arrives or is settled */
	constructor(private readonly onChange: () => void) {}

	/** Ids of the requests that currently wait for an answer. */
	get open(): ReadonlySet<string> {
		return new Set(this.#open.keys());
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

	/** Answers a request; does nothing if it is no longer open. */
	decide(requestId: string, decision: PermissionDecision): void {
		this.#open.get(requestId)?.(decision);
	}
}

import type { ExecResult, Terminal } from '#environment/contract.ts';
import type { KernelPort } from './kernel-port.ts';

const encoder = new TextEncoder();
/** Size of the output buffer for the first listener, in characters. */
const KEPT = 256 * 1024;

/** Creates a terminal of the page. `shown` receives the shell's output. */
export function createTerminal(
	kernel: KernelPort,
	pid: number,
	exited: Promise<ExecResult>,
	kill: () => Promise<void>
): { terminal: Terminal; shown: (data: string) => void } {
	const listeners = new Set<(data: string) => void>();
	let unseen = '';
	let ended = false;
	const code = exited.then(({ exitCode }) => {
		ended = true;
		return exitCode;
	});
	/** Keys pressed after the shell has ended are ignored, as in any terminal. */
	const ignoreEnd = (request: Promise<null>): void => void request.catch(() => {});
	return {
		shown: (data) => {
			if (listeners.size === 0) unseen = (unseen + data).slice(-KEPT);
			for (const listener of listeners) listener(data);
		},
		terminal: {
			write: (data) => {
				if (!ended) ignoreEnd(kernel.request('write', pid, encoder.encode(data)));
			},
			resize: (size) => {
				if (!ended) ignoreEnd(kernel.request('resize', pid, size));
			},
			onData: (listener) => {
				listeners.add(listener);
				if (unseen) listener(unseen);
				unseen = '';
				return () => listeners.delete(listener);
			},
			close: async () => {
				await kill();
				await code;
			},
			exited: code
		}
	};
}

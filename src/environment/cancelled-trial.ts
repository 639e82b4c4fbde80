import type { Trial } from './contract.ts';

/** Makes the trial of a command that was cancelled before it started. */
export function cancelledTrial(): Trial {
	return {
		result: { stdout: '', stderr: '', exitCode: 130, timedOut: false, durationMs: 0 },
		effects: { files: [], hosts: [], servers: [], signals: [], leftRunning: [], unnamed: false },
		read: () => Promise.resolve(null),
		apply: () => Promise.resolve({ merged: [], conflicts: [] }),
		discard: () => Promise.resolve()
	};
}

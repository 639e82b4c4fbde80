/** Counts reported by the fake provider on request. */
export interface UpstreamCounts {
	/** When each answer's connection closed, by the `user` of its request. */
	closedUs: Record<string, number>;
	/** Bytes written so far to readers of endless answers. */
	endlessBytes: number;
}

/** Microseconds of a clock shared by all processes of a machine. */
export const nowUs = (): number => Number(process.hrtime.bigint() / 1000n);

/** Resources a subject has used since it was started. */
export interface Used {
	memoryBytes: number;
	cpuUs: number;
}

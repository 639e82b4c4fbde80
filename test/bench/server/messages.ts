/** What the fake provider tells when asked. */
export interface UpstreamCounts {
	/** When each answer's connection closed, by the `user` its request named. */
	closedUs: Record<string, number>;
	/** Written so far to readers of endless answers. */
	endlessBytes: number;
}

/** Microseconds of a clock that all processes of a machine share. */
export const nowUs = (): number => Number(process.hrtime.bigint() / 1000n);

/** What a subject used since it was started. */
export interface Used {
	memoryBytes: number;
	cpuUs: number;
}

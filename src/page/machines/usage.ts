/** Resource usage of a container, from its cgroup. */
export interface UsageSample {
	/** Processor time since its start, in microseconds. */
	cpuUs: number;
	/** Memory in use, without page cache that the kernel may drop. */
	memoryBytes: number;
}

/**
 * Prints the counters of a container's own cgroup under the names of cgroup version 2; reads version 1's files if the
 * kernel has those. Prints nothing if there is neither.
 */
export const USAGE_COMMAND = `cd /sys/fs/cgroup && if [ -f cpu.stat ]; then
	cat cpu.stat memory.stat; echo "memory_current $(cat memory.current)"
else
	echo "usage_usec $(($(cat cpuacct/cpuacct.usage) / 1000))"
	cat memory/memory.stat; echo "memory_current $(cat memory/memory.usage_in_bytes)"
fi`;

/**
 * Parses the output of {@link USAGE_COMMAND}, which comes from the untrusted machine; `null` if a counter is missing.
 */
export function parseUsage(output: string): UsageSample | null {
	const counter = (name: string): number => Number(new RegExp(`^${name} (\\d{1,15})$`, 'm').exec(output)?.[1] ?? NaN);
	const cpuUs = counter('usage_usec');
	const memoryBytes = counter('memory_current') - counter('inactive_file');
	return Number.isNaN(cpuUs + memoryBytes) ? null : { cpuUs, memoryBytes: Math.max(0, memoryBytes) };
}

/** Average number of processors in use between two samples. @param ms time between them, in milliseconds */
export function cpusBetween(before: UsageSample, after: UsageSample, ms: number): number {
	return Math.max(0, (after.cpuUs - before.cpuUs) / (ms * 1000));
}

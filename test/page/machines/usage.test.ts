import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { cpusBetween, parseUsage, USAGE_COMMAND } from '#page/machines/usage.ts';

const output = `usage_usec 5000000
user_usec 4000000
anon 700
inactive_file 300
memory_current 1000
`;

it('reads processor time, and memory without what the kernel may drop', () => {
	expect(parseUsage(output)).toEqual({ cpuUs: 5_000_000, memoryBytes: 700 });
});

it('knows nothing where a counter is missing, or is none', () => {
	expect(parseUsage('')).toBeNull();
	expect(parseUsage(output.replace('usage_usec 5000000', 'usage_usec many'))).toBeNull();
	expect(parseUsage(output.replace('memory_current 1000', 'memory_current '))).toBeNull();
});

it('counts processors between two samples, also after a restart', () => {
	const at = (cpuUs: number) => ({ cpuUs, memoryBytes: 0 });
	expect(cpusBetween(at(1_000_000), at(4_000_000), 2_000)).toBe(1.5);
	expect(cpusBetween(at(4_000_000), at(0), 2_000)).toBe(0);
});

const COUNTERS = [
	['cpu.stat', 'memory.current'],
	['cpuacct/cpuacct.usage', 'memory/memory.usage_in_bytes']
];
it.runIf(COUNTERS.some((names) => names.every((name) => existsSync(`/sys/fs/cgroup/${name}`))))(
	'reads the counters of this kernel',
	() => {
		const sample = parseUsage(execFileSync('sh', ['-c', USAGE_COMMAND], { encoding: 'utf8' }));
		expect(sample?.cpuUs).toBeGreaterThan(0);
		expect(sample?.memoryBytes).toBeGreaterThan(0);
	}
);

import { cpus, loadavg, totalmem } from 'node:os';

/** What the figures were measured on, and how busy it was then: other work shows most in times on the clock. */
export function machine(): string {
	const processors = cpus();
	const model = processors[0]?.model.trim().replace(/\s+/g, ' ') ?? 'unknown processor';
	const gigabytes = Math.round(totalmem() / 2 ** 30);
	const load = (loadavg()[1] ?? 0).toFixed(1);
	return `${processors.length} × ${model}, ${gigabytes} GB, ${process.platform} ${process.arch}, Node ${process.versions.node}, load ${load}`;
}

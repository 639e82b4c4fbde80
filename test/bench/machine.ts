import { cpus, loadavg, totalmem } from 'node:os';

/** Describes the machine and its load: other work mostly affects elapsed times. */
export function machine(): string {
	const processors = cpus();
	const model = processors[0]?.model.trim().replace(/\s+/g, ' ') ?? 'unknown processor';
	const gigabytes = Math.round(totalmem() / 2 ** 30);
	const load = (loadavg()[1] ?? 0).toFixed(1);
	return `${processors.length} × ${model}, ${gigabytes} GB, ${process.platform} ${process.arch}, Node ${process.versions.node}, load ${load}`;
}

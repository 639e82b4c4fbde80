import { cpus, totalmem } from 'node:os';

/** What the figures were measured on. */
export function machine(): string {
	const processors = cpus();
	const model = processors[0]?.model.trim().replace(/\s+/g, ' ') ?? 'unknown processor';
	const gigabytes = Math.round(totalmem() / 2 ** 30);
	return `${processors.length} × ${model}, ${gigabytes} GB, ${process.platform} ${process.arch}, Node ${process.versions.node}`;
}

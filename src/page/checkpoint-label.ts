import { t } from './strings/index.ts';

/** What a checkpoint is called on the page. */
export function checkpointLabel(label: string): string {
	const known: Record<string, string> = t.timeline.checkpoints;
	return known[label] ?? label;
}

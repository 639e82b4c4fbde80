import type { IconName } from '../ui/Icon.svelte';

/** A small picture of a session: what the agent did, step by step. */
export interface Poster {
	project: string;
	task: string;
	steps: readonly PosterStep[];
	/** The agent's last words; empty if there are none. */
	answer: string;
}

export interface PosterStep {
	icon: IconName;
	verb: string;
	subject: string;
	/** Shown at the right. */
	result?: string;
	tone?: 'good' | 'bad';
	/** The file it changed, as a diff. */
	path?: string;
	lines?: readonly PosterLine[];
	/** Last lines that the command printed. */
	output?: readonly { text: string; tone?: 'good' | 'bad' }[];
}

export interface PosterLine {
	kind: 'same' | 'added' | 'removed' | 'gap';
	text: string;
	number?: number | undefined;
}

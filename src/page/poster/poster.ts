import type { IconName } from '../ui/Icon.svelte';

/** A small preview of a session: what the agent did, step by step. */
export interface Poster {
	project: string;
	task: string;
	steps: readonly PosterStep[];
	/** The agent's last message; empty if there is none. */
	answer: string;
}

export interface PosterStep {
	icon: IconName;
	verb: string;
	subject: string;
	/** Shown on the right. */
	result?: string;
	tone?: 'good' | 'bad';
	/** File that the step changed, shown as a diff. */
	path?: string;
	lines?: readonly PosterLine[];
	/** Last lines of the command's output. */
	output?: readonly { text: string; tone?: 'good' | 'bad' }[];
}

export interface PosterLine {
	kind: 'same' | 'added' | 'removed' | 'gap';
	text: string;
	number?: number | undefined;
}

import type { Project } from '../project/project.svelte.ts';
import { Review } from './changes/review.svelte.ts';
import { narrowMedia } from './narrow.ts';

/** What the workbench can show; `agent` only where there is room for one surface at a time. */
export type Surface = 'agent' | 'files' | 'changes' | 'terminal' | 'preview' | 'network';

export const SURFACES: readonly Surface[] = ['agent', 'files', 'changes', 'terminal', 'preview', 'network'];

/** Which surface is shown and which file is open. */
export class WorkbenchState {
	surface: Surface = $state('files');
	narrow = $state(false);
	/** Relative to the working directory. */
	path: string | null = $state(null);
	/** A port of the sandbox the preview is to show; taken by it. */
	serverToShow: number | null = $state(null);
	readonly review: Review;
	#media = narrowMedia();

	constructor(readonly project: Project) {
		this.review = new Review(project);
		this.#media.addEventListener('change', this.#resized);
		this.#resized();
		if (this.narrow) this.surface = 'agent';
	}

	leave(): void {
		this.review.leave();
		this.#media.removeEventListener('change', this.#resized);
	}

	show(surface: Surface): void {
		this.surface = surface;
	}

	/** Shows the server that listens on a port of the sandbox. */
	showServer(port: number): void {
		this.serverToShow = port;
		this.surface = 'preview';
	}

	/** Shows a file; an absolute path is taken as one below the working directory. */
	open(path: string): void {
		const root = `${this.project.environment.workingDirectory()}/`;
		this.path = path.startsWith(root) ? path.slice(root.length) : path;
		this.surface = 'files';
	}

	#resized = (): void => {
		this.narrow = this.#media.matches;
		if (!this.narrow && this.surface === 'agent') this.surface = 'files';
	};
}

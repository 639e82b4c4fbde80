import type { Project } from '../project/project.svelte.ts';
import { Review } from './changes/review.svelte.ts';
import { OpenFiles } from './files/open-files.svelte.ts';
import { narrowMedia } from './narrow.ts';

/** What the workbench can show; `agent` only where there is room for one surface at a time. */
export type Surface = 'agent' | 'files' | 'changes' | 'terminal' | 'preview' | 'network';

export const SURFACES: readonly Surface[] = ['agent', 'files', 'changes', 'terminal', 'preview', 'network'];

/** Which surface is shown and which files are open. */
export class WorkbenchState {
	surface: Surface = $state('files');
	narrow = $state(false);
	readonly files: OpenFiles;
	/** A port of the sandbox the preview is to show; taken by it. */
	serverToShow: number | null = $state(null);
	readonly review: Review;
	#media = narrowMedia();

	constructor(readonly project: Project) {
		this.review = new Review(project);
		this.files = new OpenFiles(project.stored, (error) => (project.failure = error));
		this.#media.addEventListener('change', this.#resized);
		this.#resized();
		if (this.narrow) this.surface = 'agent';
	}

	leave(): void {
		this.review.leave();
		this.files.leave();
		this.#media.removeEventListener('change', this.#resized);
	}

	/** The file that is shown, relative to the working directory. */
	get path(): string | null {
		return this.files.active;
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
		this.files.open(path.startsWith(root) ? path.slice(root.length) : path);
		this.surface = 'files';
	}

	#resized = (): void => {
		this.narrow = this.#media.matches;
		if (!this.narrow && this.surface === 'agent') this.surface = 'files';
	};
}

import type { FirstView } from '../front/templates.ts';
import type { Project } from '../project/project.svelte.ts';
import { Review } from './changes/review.svelte.ts';
import type { AgentPlace } from './agent-place.ts';
import { Problems } from './files/language/problems.svelte.ts';
import { OpenFiles, type PlaceToShow } from './files/open-files.svelte.ts';
import { narrowMedia } from './narrow.ts';

/** Surfaces of the workbench; `agent` only if there is room for one surface at a time. */
export type Surface = 'agent' | 'files' | 'changes' | 'terminal' | 'preview' | 'network';

export const SURFACES: readonly Surface[] = ['agent', 'files', 'changes', 'terminal', 'preview', 'network'];

/** Displayed surface and open files. */
export class WorkbenchState {
	surface: Surface = $state('files');
	narrow = $state(false);
	readonly files: OpenFiles;
	readonly problems = new Problems();
	/** A port of the sandbox the preview is to show; taken by it. */
	serverToShow: number | null = $state(null);
	/** A document the preview is to show; taken by it. */
	documentToShow: string | null = $state(null);
	readonly review: Review;
	/** Set while the surfaces follow the agent. */
	following = $state(true);
	/** Set while the terminal shows the agent's commands instead of a shell. */
	showsAgentCommand = $state(false);
	/** Set until the commit's message has taken the focus. */
	committing = $state(false);
	/** Set while find in files is displayed in place of the tree. */
	finding = $state(false);
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
		this.problems.stop();
		this.#media.removeEventListener('change', this.#resized);
	}

	/** The file that is shown, relative to the working directory. */
	get path(): string | null {
		return this.files.active;
	}

	show(surface: Surface): void {
		this.surface = surface;
		// Opening the terminal means a shell.
		if (surface === 'terminal') this.showsAgentCommand = false;
		this.takeWheel();
	}

	/** The user chooses what is shown while the agent works: it no longer follows the agent. */
	takeWheel(): void {
		if (this.project.working) this.following = false;
	}

	/** Shows where the agent is, if the user lets it and both fit beside the conversation. */
	follow(place: AgentPlace): void {
		if (!this.following || this.narrow) return;
		if (place.kind === 'command') {
			this.showsAgentCommand = true;
			// The terminal is below the files too.
			if (this.surface !== 'terminal') this.surface = 'files';
		} else if (this.project.fork.isOpen) this.surface = 'changes';
		else {
			this.files.follow(this.#relative(place.path));
			this.surface = 'files';
		}
	}

	/** Shows the preview that the agent opened, if the user lets it and both fit beside the conversation. */
	followPreview(): void {
		if (this.following && !this.narrow) this.surface = 'preview';
	}

	/** Shows a server that the agent started, if the user lets it and both fit beside the conversation. */
	followServer(port: number): boolean {
		if (!this.following || this.narrow) return false;
		this.serverToShow = port;
		this.surface = 'preview';
		return true;
	}

	/** Shows the server that listens on a port of the sandbox. */
	showServer(port: number): void {
		this.serverToShow = port;
		this.show('preview');
	}

	/** Shows a new project's first file, and its page where both fit. */
	begin({ file, preview }: FirstView): void {
		this.files.open(this.#relative(file));
		if (preview === undefined || this.narrow) return;
		this.documentToShow = preview;
		this.surface = 'preview';
	}

	/** Shows a file; an absolute path is taken as one below the working directory. */
	open(path: string): void {
		this.files.open(this.#relative(path));
		this.show('files');
	}

	/** Shows a place of a file, selected. */
	openAt(place: PlaceToShow): void {
		this.files.openAt({ ...place, path: this.#relative(place.path) });
		this.show('files');
	}

	/** Shows what changed, with the focus in the message of the commit. */
	commit(): void {
		this.committing = true;
		this.show('changes');
	}

	/** Shows the search over all files. */
	find(): void {
		this.finding = true;
		// With room for one of both, the results come before the open file.
		if (this.narrow) this.files.hide();
		this.show('files');
	}

	#relative(path: string): string {
		const root = `${this.project.environment.workingDirectory()}/`;
		return path.startsWith(root) ? path.slice(root.length) : path;
	}

	#resized = (): void => {
		this.narrow = this.#media.matches;
		if (!this.narrow && this.surface === 'agent') this.surface = 'files';
	};
}

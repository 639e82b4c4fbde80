import type { FirstView } from '../front/templates.ts';
import type { Project } from '../project/project.svelte.ts';
import { Review } from './changes/review.svelte.ts';
import type { AgentPlace } from './agent-place.ts';
import { Problems } from './files/language/problems.svelte.ts';
import { OpenFiles, type PlaceToShow } from './files/open-files.svelte.ts';
import { narrowMedia } from './narrow.ts';

/** Surfaces of the workbench; `agent` only if the page has room for one surface only. */
export type Surface = 'agent' | 'files' | 'changes' | 'terminal' | 'preview' | 'network';

export const SURFACES: readonly Surface[] = ['agent', 'files', 'changes', 'terminal', 'preview', 'network'];

/** State of the workbench: displayed surface and open files. */
export class WorkbenchState {
	surface: Surface = $state('files');
	narrow = $state(false);
	readonly files: OpenFiles;
	readonly problems = new Problems();
	/** Port of the sandbox that the preview should show; the preview resets it. */
	serverToShow: number | null = $state(null);
	/** Document that the preview should show; the preview resets it. */
	documentToShow: string | null = $state(null);
	readonly review: Review;
	/** True while the surfaces follow the agent. */
	following = $state(true);
	/** True while the terminal shows the agent's commands instead of a shell. */
	showsAgentCommand = $state(false);
	/** True until the commit message field has received the focus. */
	committing = $state(false);
	/** True while find in files is displayed in place of the tree. */
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

	/** Displayed file, relative to the working directory. */
	get path(): string | null {
		return this.files.active;
	}

	show(surface: Surface): void {
		this.surface = surface;
		// Opening the terminal shows a shell.
		if (surface === 'terminal') this.showsAgentCommand = false;
		this.takeWheel();
	}

	/** Stops following the agent, because the user chose what to look at. */
	takeWheel(): void {
		if (this.project.working) this.following = false;
	}

	/** Shows the agent's place, if following is on and both fit beside the conversation. */
	follow(place: AgentPlace): void {
		if (!this.following || this.narrow) return;
		if (place.kind === 'command') {
			this.showsAgentCommand = true;
			// The files surface also has a terminal.
			if (this.surface !== 'terminal') this.surface = 'files';
		} else if (this.project.fork.isOpen) this.surface = 'changes';
		else {
			this.files.follow(this.#relative(place.path));
			this.surface = 'files';
		}
	}

	/** Shows the preview that the agent opened, if following is on and both fit beside the conversation. */
	followPreview(): void {
		if (this.following && !this.narrow) this.surface = 'preview';
	}

	/** Shows a server that the agent started, if following is on and both fit beside the conversation. */
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

	/** Shows a new project's first file, and its page if both fit. */
	begin({ file, preview }: FirstView): void {
		this.files.open(this.#relative(file));
		if (preview === undefined || this.narrow) return;
		this.documentToShow = preview;
		this.surface = 'preview';
	}

	/** Shows a file; an absolute path is converted to one relative to the working directory. */
	open(path: string): void {
		this.files.open(this.#relative(path));
		this.show('files');
	}

	/** Shows and selects a place in a file. */
	openAt(place: PlaceToShow): void {
		this.files.openAt({ ...place, path: this.#relative(place.path) });
		this.show('files');
	}

	/** Shows the changes, with the focus on the commit message. */
	commit(): void {
		this.committing = true;
		this.show('changes');
	}

	/** Shows the search over all files. */
	find(): void {
		this.finding = true;
		// If only one fits, the results are shown instead of the open file.
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

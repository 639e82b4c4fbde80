import type { CodePlace, LanguageService } from '#environment/language.ts';
import { announce } from '../../../live.svelte.ts';
import type { Project } from '../../../project/project.svelte.ts';
import { t } from '../../../strings/index.ts';
import type { WorkbenchState } from '../../workbench.svelte.ts';
import type { Editor } from '../editor.ts';
import { applyEdits, languageExtensions, placeIn } from './extensions.ts';
import { applyRename } from './rename.ts';

/** A name that can be renamed. */
export interface RenameRequest {
	name: string;
	apply(to: string): Promise<void>;
}

interface Surroundings {
	project: Project;
	workbench: WorkbenchState;
	/** Absolute. */
	path: string;
	onRename(request: RenameRequest): void;
	/** Called with a sentence for the user; empty: none. */
	onNote(text: string): void;
}

/** Adds completion, hover, problems, definition, rename and format to an editor. @public By a dynamic import. */
export function attachLanguage(editor: Editor, service: LanguageService, around: Surroundings): { format(): void } {
	const { project, workbench, path, onNote } = around;
	const { view } = editor;
	const say = (text: string): void => {
		onNote(text);
		announce(text);
	};
	const attempt = (work: Promise<void>): void => void work.catch((error: unknown) => (project.failure = error));

	async function goToDefinition(at: CodePlace): Promise<void> {
		const places = await service.definition(at);
		const [first] = places ?? [];
		if (first) workbench.openAt(first);
		else say(places === null ? t.code.definition.outside : t.code.definition.none);
	}

	async function askName(at: CodePlace): Promise<void> {
		if (!project.writable) return;
		const info = await service.renameInfo(at);
		if (info === null || 'reason' in info) return say(info?.reason ?? t.code.rename.nothing);
		around.onRename({ name: info.name, apply: (to) => rename(at, to) });
	}

	async function rename(at: CodePlace, to: string): Promise<void> {
		const root = `${project.environment.workingDirectory()}/`;
		const isUnsaved = (file: string): boolean => workbench.files.dirty.has(file.slice(root.length));
		const files = await service.rename(at, to);
		if (view.state.doc.toString() !== at.text) throw new Error(t.code.rename.changed);
		applyEdits(view, await applyRename(project.environment, files, path, isUnsaved));
		say(
			t.code.rename.done(
				files.reduce((sum, { edits }) => sum + edits.length, 0),
				files.length
			)
		);
	}

	async function format(): Promise<void> {
		if (!project.writable) return;
		const { text } = placeIn(view, path);
		const edits = await service.format({ path, text }, editor.indent);
		if (view.state.doc.toString() !== text) return;
		if (edits.length === 0) return say(t.code.format.same);
		applyEdits(view, edits);
	}

	editor.extend(
		languageExtensions(service, path, {
			onDefinition: (at) => attempt(goToDefinition(at)),
			onRename: (at) => attempt(askName(at)),
			onFormat: () => attempt(format()),
			onProblems: (problems) => workbench.problems.set(path, problems)
		})
	);
	return { format: () => attempt(format()) };
}

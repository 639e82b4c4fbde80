import type ts from 'typescript';
import type { LanguageQuestion } from '../language-messages.ts';
import type { CompilerHost } from './compiler.ts';
import type { Configurations } from './configurations.ts';
import { LanguageAnswers } from './language.ts';
import { Project } from './project.ts';

/** Answers questions about a file with its unsaved text, which its project uses until the next question. */
export class OpenText {
	/** Project for files that no configuration includes. */
	#loose: Project | null = null;
	/** File whose text in a project differs from the one on disk. */
	#unsaved: { project: Project; path: string } | null = null;

	/** @param projectOf finds a file's project by its configuration; `null` if there is none */
	constructor(
		private readonly host: CompilerHost,
		private readonly configurations: Configurations,
		private readonly registry: ts.DocumentRegistry,
		private readonly projectOf: (path: string) => Project | null
	) {}

	/** @param changed files written since the last question; `null`: any */
	answer(question: LanguageQuestion, changed: readonly string[] | null): unknown {
		const { path } = question;
		const text = 'text' in question ? question.text : null;
		if (this.#loose && changed) for (const each of changed) this.#loose.files.refresh(each);
		const before = this.#unsaved;
		this.#unsaved = null;
		if (before && (before.path !== path || text === null)) before.project.files.refresh(before.path);
		const project = this.projectOf(path) ?? this.#looseWith(path);
		if (text !== null) {
			this.#unsaved = { project, path };
			project.files.set(path, text);
		}
		if (!project.includes(path)) project.restructure(new Set([...project.roots, path]));
		project.update();
		return new LanguageAnswers(this.host, project).answer(question);
	}

	/** Discards everything that was read. */
	forget(): void {
		this.#loose?.dispose();
		this.#loose = null;
		this.#unsaved = null;
	}

	#looseWith(path: string): Project {
		const { compiler, root } = this.host;
		this.#loose ??= new Project(
			this.host,
			{
				path: `${root}/no-configuration.json`,
				files: new Set(),
				parsed: {
					fileNames: [],
					errors: [],
					options: {
						allowJs: true,
						target: compiler.ScriptTarget.ESNext,
						module: compiler.ModuleKind.ESNext,
						moduleResolution: compiler.ModuleResolutionKind.Bundler,
						moduleDetection: compiler.ModuleDetectionKind.Force,
						jsx: compiler.JsxEmit.Preserve,
						esModuleInterop: true,
						allowImportingTsExtensions: true,
						noEmit: true
					}
				}
			},
			this.configurations,
			this.registry
		);
		if (!this.#loose.roots.has(path)) this.#loose.restructure(new Set([...this.#loose.roots, path]));
		return this.#loose;
	}
}

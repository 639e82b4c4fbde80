import type ts from 'typescript';
import type { CheckerProblem, CheckerReply, CheckerRequest, TextEdit } from '../messages.ts';
import { newOnes } from '../new-problems.ts';
import { isScript, type CompilerHost } from './compiler.ts';
import { Configurations } from './configurations.ts';
import { OpenText } from './open-text.ts';
import { MOST_FILES, Project } from './project.ts';
import { syntaxProblems } from './problems.ts';

/** Projects to keep loaded; each has its own program. */
const MOST_PROJECTS = 3;
/** Importers of changed files to check. */
const MOST_IMPORTERS = 60;
/** Shares of the time limit: for checking the state before the change, and for files that import the changed ones. */
const BASELINE_SHARE = 0.4;
const IMPORTERS_SHARE = 0.15;

type Answer = Omit<CheckerReply, 'id'>;

/** Answers {@link CheckerRequest}s with the TypeScript compiler. All its work is synchronous: it runs in a worker. */
export class TypeScriptChecker {
	readonly #configurations: Configurations;
	readonly #registry: ts.DocumentRegistry;
	/** Projects by configuration, most recently used last. */
	readonly #projects = new Map<string, Project>();
	readonly #tooLarge = new Map<string, 'new' | 'reported'>();

	readonly #open: OpenText;

	constructor(private readonly host: CompilerHost) {
		this.#configurations = new Configurations(host);
		this.#registry = host.compiler.createDocumentRegistry(host.system.useCaseSensitiveFileNames, host.root);
		this.#open = new OpenText(host, this.#configurations, this.#registry, (path) => this.#projectOf(path));
	}

	/** Never throws: if the compiler fails, no problems are reported and all projects are loaded again. */
	answer(request: CheckerRequest): CheckerReply {
		try {
			const edited = request.type === 'check' ? request.edits.map(({ path }) => path) : [];
			this.#refresh(request.changed, edited);
			if (request.type === 'check') return { id: request.id, ...this.#check(request.edits, request.withinMs) };
			if (request.type === 'language')
				return { id: request.id, problems: [], answer: this.#open.answer(request.question, request.changed) };
			for (const path of request.paths.filter(isScript)) this.#projectOf(path)?.update();
		} catch (error) {
			console.error('Looking for problems failed.', error);
			this.#forgetAll();
		}
		return { id: request.id, problems: [] };
	}

	/** Checks one more file in advance, so that its next change can be compared. Returns false if none is left. */
	workAhead(): boolean {
		try {
			for (const project of this.#projects.values()) if (project.learn()) return true;
		} catch (error) {
			console.error('Looking for problems failed.', error);
			this.#forgetAll();
		}
		return false;
	}

	#check(edits: readonly TextEdit[], withinMs: number): Answer {
		const problems: CheckerProblem[] = [];
		const byProject = new Map<Project, TextEdit[]>();
		for (const edit of edits) {
			if (!isScript(edit.path)) continue;
			// A created or deleted file changes which files a configuration includes.
			if (edit.before === null || edit.after === null) this.#configurations.forget();
			const project = edit.after === null ? this.#holding(edit.path) : this.#projectOf(edit.path);
			if (project) byProject.set(project, [...(byProject.get(project) ?? []), edit]);
			else problems.push(...this.#syntaxOnly(edit));
		}
		for (const [project, own] of byProject) problems.push(...this.#checkIn(project, own, withinMs));
		const notice = this.#noticeOfSize();
		return notice === undefined ? { problems } : { problems, notice };
	}

	#checkIn(project: Project, edits: readonly TextEdit[], withinMs: number): CheckerProblem[] {
		const paths = edits.map(({ path }) => path);
		this.#put(project, edits, 'before');
		const importers = project.importers();
		const near = nearby(paths, project.isForAll(paths) ? project.sources() : [], importers);
		const was = new Map(paths.map((path) => [path, project.problemsOf(path)]));
		const shapes = new Map(paths.map((path) => [path, project.shapeOf(path)]));
		const baselineUntil = performance.now() + withinMs * BASELINE_SHARE;
		for (const path of near) {
			const known = project.known(path);
			if (!known && (was.size > MOST_IMPORTERS || performance.now() > baselineUntil)) continue;
			was.set(path, known ?? project.problemsOf(path));
			const shape = project.knownShape(path);
			if (shape !== undefined) shapes.set(path, shape);
		}
		this.#put(project, edits, 'after');
		project.forget(paths);
		const problems = edits.flatMap(({ path, before, after }) =>
			after === null ? [] : newOnes(was.get(path) ?? [], project.problemsOf(path), before ?? '', after)
		);
		if (paths.some((path) => project.isBroken(path))) {
			project.forget(near);
			return problems;
		}
		const forAll = project.isForAll(paths);
		const changed = new Set(paths.filter((path) => shapes.get(path) !== project.shapeOf(path)));
		const until = performance.now() + withinMs * IMPORTERS_SHARE;
		const seen = new Set(paths);
		let looked = 0;
		const isEnough = (): boolean => looked >= MOST_IMPORTERS || performance.now() > until;
		let level: readonly string[] = forAll ? near : [...changed].flatMap((path) => importers.get(path) ?? []);
		while (level.length > 0) {
			level = [...new Set(level)].filter((path) => !seen.has(path));
			project.forget(level);
			for (const path of level) {
				seen.add(path);
				const before = was.get(path);
				if (!before || isEnough()) continue;
				looked++;
				const text = project.files.get(path).text ?? '';
				problems.push(...newOnes(before, project.problemsOf(path), text, text));
			}
			if (forAll) break;
			if (isEnough()) {
				// Files that depend on those are unknown, too.
				project.forget(near.filter((path) => !project.known(path) || !seen.has(path)));
				break;
			}
			const changedHere = level.filter(
				(path) => shapes.get(path) !== project.shapeOf(path) || project.showsAny(path, changed)
			);
			for (const path of changedHere) changed.add(path);
			level = changedHere.flatMap((path) => importers.get(path) ?? []);
		}
		return problems;
	}

	#put(project: Project, edits: readonly TextEdit[], side: 'before' | 'after'): void {
		const restructured = edits.map((edit) => project.files.set(edit.path, edit[side] ?? undefined)).includes(true);
		if (restructured) this.#restructure(project, edits, side);
		project.update();
	}

	/** @param edits edits that the file system may not reflect: it already has the final state */
	#restructure(project: Project, edits: readonly TextEdit[] = [], side: 'before' | 'after' = 'after'): void {
		const roots = new Set(this.#configurations.read(project.path)?.files);
		for (const edit of edits) if (edit[side] === null) roots.delete(edit.path);
		project.restructure(roots);
	}

	#syntaxOnly({ path, before, after }: TextEdit): CheckerProblem[] {
		if (after === null) return [];
		const { compiler } = this.host;
		const was = before === null ? [] : syntaxProblems(compiler, path, before);
		return newOnes(was, syntaxProblems(compiler, path, after), before ?? '', after);
	}

	#projectOf(path: string): Project | null {
		const configuration = this.#configurations.of(path);
		if (!configuration || this.#tooLarge.has(configuration.path)) return null;
		const known = this.#projects.get(configuration.path);
		const project = known ?? new Project(this.host, configuration, this.#configurations, this.#registry);
		if (!known && project.isTooLarge()) {
			project.dispose();
			this.#tooLarge.set(configuration.path, 'new');
			return null;
		}
		this.#projects.delete(configuration.path);
		this.#projects.set(configuration.path, project);
		for (const [path, oldest] of this.#projects) {
			if (this.#projects.size <= MOST_PROJECTS) break;
			oldest.dispose();
			this.#projects.delete(path);
		}
		return project;
	}

	/** Project of a deleted file, which no configuration includes any more. */
	#holding(path: string): Project | null {
		return [...this.#projects.values()].find((project) => project.includes(path)) ?? null;
	}

	#refresh(changed: readonly string[] | null, edited: readonly string[]): void {
		if (changed === null) return this.#forgetAll();
		const others = changed.filter((path) => !edited.includes(path) && (isScript(path) || path.endsWith('.json')));
		if (others.length === 0) return;
		this.#configurations.forget();
		for (const project of this.#projects.values()) {
			const restructured = others.map((path) => project.files.refresh(path)).includes(true);
			if (restructured) this.#restructure(project);
			project.forget();
		}
	}

	#forgetAll(): void {
		for (const project of this.#projects.values()) project.dispose();
		this.#projects.clear();
		this.#tooLarge.clear();
		this.#open.forget();
		this.#configurations.forget();
	}

	#noticeOfSize(): string | undefined {
		for (const [path, state] of this.#tooLarge) {
			if (state === 'reported') continue;
			this.#tooLarge.set(path, 'reported');
			return `The project of ${path} is larger than ${MOST_FILES} source files: new problems in it are not reported.`;
		}
		return undefined;
	}
}

/**
 * Files that import these, directly or not, nearest first; with `all`, those and their importers too. Excludes the
 * given files themselves.
 */
function nearby(paths: readonly string[], all: readonly string[], importers: ReadonlyMap<string, string[]>): string[] {
	const found = new Set([...paths, ...all]);
	for (const path of found) for (const importer of importers.get(path) ?? []) found.add(importer);
	return [...found].filter((path) => !paths.includes(path));
}

import type ts from 'typescript';
import type { CheckerProblem } from '../messages.ts';
import { isScript, type CompilerHost } from './compiler.ts';
import { parent, type Configuration, type Configurations } from './configurations.ts';
import { HeldFiles } from './held-files.ts';
import { toProblem } from './problems.ts';

/** Most source files of a project's own; larger projects are not checked. */
export const MOST_FILES = 1_500;
/** Limit including declarations and libraries. */
const MOST_FILES_IN_ALL = 6_000;

/**
 * Adds members that TypeScript's types omit: the first makes imports of a referenced project resolve to its sources,
 * built or not; the second makes imports resolve again.
 */
type ServiceHost = ts.LanguageServiceHost & {
	useSourceOfProjectReferenceRedirect(): boolean;
	hasInvalidatedResolutions(): boolean;
};

/**
 * One `tsconfig.json` with its language service. Results for a file are cached until something it depends on
 * changes.
 */
export class Project {
	readonly files: HeldFiles;
	readonly service: ts.LanguageService;
	readonly #known = new Map<string, CheckerProblem[]>();
	readonly #shapes = new Map<string, string>();
	/** File → its imports: specifier → file. */
	readonly #imports = new Map<string, Map<string, string>>();
	readonly hasPackages: boolean;
	#roots: ReadonlySet<string>;
	#resolutions: ts.ModuleResolutionCache;
	#areResolutionsStale = false;

	constructor(
		private readonly host: CompilerHost,
		private readonly configuration: Configuration,
		private readonly configurations: Configurations,
		registry: ts.DocumentRegistry
	) {
		this.files = new HeldFiles(host);
		this.#roots = configuration.files;
		this.hasPackages = hasPackages(host, parent(configuration.path));
		this.#resolutions = this.#newResolutions();
		this.service = host.compiler.createLanguageService(this.#serviceHost(), registry);
	}

	/** Files that the configuration lists. */
	get roots(): ReadonlySet<string> {
		return this.#roots;
	}

	get path(): string {
		return this.configuration.path;
	}

	/** Returns true if the project is too large to be checked; loads it. */
	isTooLarge(): boolean {
		if (this.#roots.size > MOST_FILES) return true;
		return (this.service.getProgram()?.getSourceFiles().length ?? 0) > MOST_FILES_IN_ALL;
	}

	includes(path: string): boolean {
		return this.#roots.has(path) || this.service.getProgram()?.getSourceFile(path) !== undefined;
	}

	/**
	 * Handles a created or deleted file: imports may resolve differently now, and the configuration may include other
	 * files.
	 */
	restructure(roots: ReadonlySet<string>): void {
		this.#roots = roots;
		this.#resolutions = this.#newResolutions();
		this.#areResolutionsStale = true;
		this.files.version++;
	}

	/** Discards cached results of these files, or of all. */
	forget(paths: Iterable<string> = [...this.#known.keys(), ...this.#shapes.keys()]): void {
		for (const path of paths) {
			this.#known.delete(path);
			this.#shapes.delete(path);
		}
	}

	known(path: string): CheckerProblem[] | undefined {
		return this.#known.get(path);
	}

	/** Problems of a file in its current state. */
	problemsOf(path: string): CheckerProblem[] {
		const known = this.#known.get(path);
		if (known) return known;
		const found = this.#look(path);
		this.#known.set(path, found);
		return found;
	}

	/** Declarations of a file, as visible to others. If they are unchanged, its importers are unaffected. */
	shapeOf(path: string): string {
		const known = this.#shapes.get(path);
		if (known !== undefined) return known;
		const isThere = this.includes(path) && this.files.exists(path);
		const { outputFiles = [] } = isThere ? this.service.getEmitOutput(path, true, true) : {};
		const shape = outputFiles.map(({ text }) => text).join('\n') || (this.files.get(path).text ?? '');
		this.#shapes.set(path, shape);
		return shape;
	}

	/** Returns true if the declarations of `path` refer to one of these files. */
	showsAny(path: string, of: ReadonlySet<string>): boolean {
		const shape = this.shapeOf(path);
		for (const [name, target] of this.#imports.get(path) ?? [])
			if (of.has(target) && (shape.includes(`'${name}'`) || shape.includes(`"${name}"`))) return true;
		return false;
	}

	knownShape(path: string): string | undefined {
		return this.#shapes.get(path);
	}

	/** Returns true if a file does not parse: errors in its importers are then meaningless. */
	isBroken(path: string): boolean {
		return this.includes(path) && this.service.getSyntacticDiagnostics(path).length > 0;
	}

	/** Returns true if these files declare globals, so that changes affect all files. */
	isForAll(paths: readonly string[]): boolean {
		return paths.some((path) => isGlobal(this.host, this.service.getProgram()?.getSourceFile(path)));
	}

	/** File → files of this project that import it, without declaration files and packages. */
	importers(): Map<string, string[]> {
		const sources = new Set(this.sources());
		const importers = new Map<string, string[]>();
		for (const [importer, targets] of this.#imports) {
			if (!sources.has(importer)) continue;
			for (const target of new Set(targets.values()))
				importers.set(target, [...(importers.get(target) ?? []), importer]);
		}
		return importers;
	}

	/** Checks one file that has not been checked yet. Returns false if there is none. */
	learn(): boolean {
		const path = this.sources().find((each) => !this.#known.has(each) || !this.#shapes.has(each));
		if (path === undefined) return false;
		this.problemsOf(path);
		this.shapeOf(path);
		return true;
	}

	dispose(): void {
		this.service.dispose();
	}

	#look(path: string): CheckerProblem[] {
		if (!this.includes(path)) return [];
		const syntax = this.service.getSyntacticDiagnostics(path);
		const found = syntax.length > 0 ? syntax : this.service.getSemanticDiagnostics(path);
		return found.flatMap((diagnostic) => toProblem(this.host.compiler, path, diagnostic, this.hasPackages) ?? []);
	}

	/** Source files of the project. */
	sources(): string[] {
		const program = this.service.getProgram();
		const files = program?.getSourceFiles() ?? [];
		return files
			.filter((file) => !file.isDeclarationFile && !program?.isSourceFileFromExternalLibrary(file))
			.map(({ fileName }) => fileName);
	}

	#newResolutions(): ts.ModuleResolutionCache {
		const { compiler, root } = this.host;
		return compiler.createModuleResolutionCache(root, (path) => path, this.configuration.parsed.options);
	}

	#serviceHost(): ServiceHost {
		const { files, host, configuration, configurations } = this;
		const { compiler, system, libraryDirectory } = host;
		const options: ts.CompilerOptions = {
			...configuration.parsed.options,
			noEmit: true,
			composite: false,
			incremental: false,
			skipLibCheck: true
		};
		const fileSystem = {
			fileExists: (path: string) => files.exists(path),
			readFile: (path: string) => (files.has(path) ? files.get(path).text : system.readFile(path)),
			directoryExists: system.directoryExists.bind(system),
			getDirectories: system.getDirectories.bind(system),
			readDirectory: system.readDirectory.bind(system),
			...(system.realpath ? { realpath: system.realpath.bind(system) } : {}),
			useCaseSensitiveFileNames: () => system.useCaseSensitiveFileNames,
			getCurrentDirectory: () => parent(configuration.path)
		};
		return {
			...fileSystem,
			getCompilationSettings: () => options,
			getProjectVersion: () => String(files.version),
			getScriptFileNames: () => [...this.#roots],
			getScriptVersion: (path) => String(files.get(path).version),
			getScriptSnapshot: (path) => files.get(path).snapshot,
			getDefaultLibFileName: (settings) => `${libraryDirectory}/${compiler.getDefaultLibFileName(settings)}`,
			getProjectReferences: () => configuration.parsed.projectReferences,
			getParsedCommandLine: (path) => configurations.read(path)?.parsed,
			useSourceOfProjectReferenceRedirect: () => true,
			hasInvalidatedResolutions: () => this.#areResolutionsStale,
			resolveModuleNameLiterals: (literals, importer, redirected, settings, source) => {
				const targets = this.#imports.get(importer) ?? new Map<string, string>();
				this.#imports.set(importer, targets);
				return literals.map((literal) => {
					const mode = compiler.getModeForUsageLocation(source, literal, settings);
					const resolved = compiler.resolveModuleName(
						literal.text,
						importer,
						settings,
						fileSystem,
						this.#resolutions,
						redirected,
						mode
					);
					const file = resolved.resolvedModule?.resolvedFileName;
					if (file) targets.set(literal.text, file);
					return resolved;
				});
			}
		};
	}

	/** Makes all changes so far visible to the compiler. */
	update(): void {
		this.service.getProgram();
		this.#areResolutionsStale = false;
	}
}

/** Returns true if a project's dependencies are installed in its directory or above, or it has none. */
function hasPackages({ system, root }: CompilerHost, directory: string): boolean {
	let asks = false;
	for (let at = directory; ; at = parent(at)) {
		if (system.directoryExists(`${at}/node_modules`)) return true;
		const manifest = system.readFile(`${at}/package.json`);
		asks ||= manifest !== undefined && /"(?:dev|peer)?[dD]ependencies"\s*:\s*\{\s*"/.test(manifest);
		if (at === root || at === '/') return !asks;
	}
}

function isGlobal({ compiler }: CompilerHost, file: ts.SourceFile | undefined): boolean {
	if (!file || !isScript(file.fileName)) return false;
	return !compiler.isExternalModule(file) || /\bdeclare\s+(?:global|module)\b/.test(file.text);
}

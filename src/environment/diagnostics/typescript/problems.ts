import type ts from 'typescript';
import type { CheckerProblem } from '../messages.ts';
import type { Compiler } from './compiler.ts';

/** Problems with project references that have not been built, which are unrelated to the change. */
const ABOUT_THE_BUILD = new Set([6_305, 6_307, 6_059]);
/** "Declared but never used": in the middle of a change, the use may come later. */
const UNUSED = new Set([6_133, 6_138, 6_192, 6_196, 6_198, 6_199, 6_205]);
/** Consequences of packages that are not installed: a missing module, its types, its globals. */
const WITHOUT_PACKAGES = new Set([
	2_307, 2_503, 2_580, 2_581, 2_582, 2_583, 2_584, 2_591, 2_592, 2_593, 2_688, 2_792, 2_875
]);
const CANNOT_FIND_MODULE = new Set([2_307, 2_792]);
/** `Cannot find module './picture.svg'`: bundlers can import more than scripts. */
const OTHER_FILES = /'[^']+(?:\?[^']*|\.(?!(?:[cm]?[jt]s|[jt]sx|json)')[a-z]\w*)'/;
const MOST_CHARACTERS = 1_000;

/** Converts a compiler diagnostic of a file; `null` if it is not reported. */
export function toProblem(
	compiler: Compiler,
	path: string,
	{ file, start, code, category, messageText }: ts.Diagnostic,
	hasPackages: boolean
): CheckerProblem | null {
	if (category !== compiler.DiagnosticCategory.Error || ABOUT_THE_BUILD.has(code)) return null;
	// Without the types of packages, everything they export is `any`, explicitly or not.
	if (!hasPackages && (WITHOUT_PACKAGES.has(code) || (code >= 7_000 && code < 8_000))) return null;
	const message = compiler.flattenDiagnosticMessageText(messageText, '\n').slice(0, MOST_CHARACTERS);
	if (CANNOT_FIND_MODULE.has(code) && OTHER_FILES.test(message)) return null;
	const at = file && start !== undefined ? file.getLineAndCharacterOfPosition(start) : { line: 0, character: 0 };
	return {
		path,
		line: at.line + 1,
		column: at.character + 1,
		severity: UNUSED.has(code) ? 'warning' : 'error',
		code: `TS${code}`,
		message
	};
}

/**
 * Syntax errors of files in no project, whose types are unknown. Not for Flow, a different language with the same file
 * extensions.
 */
export function syntaxProblems(compiler: Compiler, path: string, text: string): CheckerProblem[] {
	if (/^\s*(?:\/\/|\/\*)[^\n]*@flow\b/m.test(text.slice(0, 1_000))) return [];
	const { diagnostics = [] } = compiler.transpileModule(text, {
		fileName: path,
		reportDiagnostics: true,
		compilerOptions: {
			allowJs: true,
			target: compiler.ScriptTarget.ESNext,
			module: compiler.ModuleKind.ESNext,
			jsx: compiler.JsxEmit.Preserve
		}
	});
	return diagnostics.flatMap((diagnostic) => {
		const isSyntax = diagnostic.file !== undefined && diagnostic.code < 2_000;
		return (isSyntax && toProblem(compiler, path, diagnostic, true)) || [];
	});
}

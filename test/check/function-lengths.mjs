// Measures functions as a reader sees them: tables and nested functions are not counted.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** Lines of a function: `docs/architecture.md`, *House rules*. */
export const MAX_FUNCTION_LINES = 60;

/**
 * Finds functions that are too long. Blank lines, comments, nested functions and classes, literals that only hold data,
 * and template literals are not counted.
 *
 * A docblock may exempt a function with `@inOnePiece` and the reason.
 *
 * @param {string[]} files absolute paths of `.ts` and `.svelte` files
 * @param {string} root folder that findings are relative to
 * @returns {string[]} findings, as `file:line: name, lines`
 */
export function findLongFunctions(files, root) {
	return files.flatMap((file) =>
		functionLengths(scriptOf(file))
			.filter(({ lines }) => lines > MAX_FUNCTION_LINES)
			.map(({ name, line, lines }) => `${path.relative(root, file)}:${line}: ${name} has ${lines} lines`)
	);
}

/** Script of a file. A component's script keeps the line numbers of its file. */
function scriptOf(file) {
	const text = readFileSync(file, 'utf8');
	if (!file.endsWith('.svelte')) return text;
	return [...text.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].reduce((script, match) => {
		const start = match.index + match[0].indexOf('>') + 1;
		const above = text.slice(0, start).split('\n').length - 1;
		const gap = above - (script.split('\n').length - 1);
		return script + '\n'.repeat(Math.max(0, gap)) + match[1];
	}, '');
}

/**
 * Measures the functions of a source.
 *
 * @param {string} source TypeScript
 * @returns {{ name: string, line: number, lines: number }[]} `line`: from 1
 */
export function functionLengths(source) {
	const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true);
	const text = source.split('\n');
	const lineAt = (position) => file.getLineAndCharacterOfPosition(position).line;
	const found = [];
	const visit = (node) => {
		if (ts.isFunctionLike(node) && node.body && !isInOnePiece(node)) {
			const own = ownLines(node, lineAt).filter((line) => isCode(text[line]));
			const name = node.name?.getText() ?? node.parent.name?.getText() ?? 'a function without a name';
			found.push({ name, line: lineAt(node.getStart()) + 1, lines: own.length });
		}
		ts.forEachChild(node, visit);
	};
	visit(file);
	return found;
}

/** Own lines of a function: of a nested function, only the first line counts. */
function ownLines(node, lineAt) {
	const lines = new Set();
	const each = (part, from, work) => {
		for (let line = lineAt(part.getStart()) + from; line <= lineAt(part.end); line++) work(line);
	};
	each(node, 0, (line) => lines.add(line));
	const leaveOut = (part) => {
		const isNested =
			(ts.isFunctionLike(part) && part.body) || ts.isClassLike(part) || ts.isTemplateExpression(part) || isData(part);
		if (isNested) each(part, 1, (line) => lines.delete(line));
		else ts.forEachChild(part, leaveOut);
	};
	leaveOut(node.body);
	return [...lines];
}

/** Tests whether a function is documented as an exemption. */
const isInOnePiece = (node) =>
	ts.getJSDocTags(node).some((tag) => tag.tagName.text === 'inOnePiece' && ts.getTextOfJSDocComment(tag.comment));

/** Tests whether a literal is a table: strings, numbers, and tables of them. */
function isData(node) {
	const isValue = (value) =>
		ts.isLiteralExpression(value) ||
		[ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword, ts.SyntaxKind.NullKeyword].includes(value.kind) ||
		isData(value);
	if (ts.isArrayLiteralExpression(node)) return node.elements.length > 0 && node.elements.every(isValue);
	if (!ts.isObjectLiteralExpression(node)) return false;
	return (
		node.properties.length > 0 &&
		node.properties.every((property) => ts.isPropertyAssignment(property) && isValue(property.initializer))
	);
}

const isCode = (line) => !/^\s*($|\/\/|\/?\*)/.test(line);

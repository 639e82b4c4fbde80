import { parse } from 'acorn';
import { isParseError } from './parse-error.ts';

/** Rewrites the static imports of a line as dynamic ones, which work at a prompt; empty if it is no module. */
export function dynamicImport(line: string): string {
	let body;
	try {
		({ body } = parse(line, { ecmaVersion: 'latest', sourceType: 'module' }));
	} catch (error) {
		if (!isParseError(error)) throw error;
		return '';
	}
	const statements = body.flatMap((node) => {
		if (node.type !== 'ImportDeclaration') return [];
		const load = `await import(${JSON.stringify(node.source.value)});`;
		const [first] = node.specifiers;
		if (!first) return [load];
		if (node.specifiers.length === 1 && first.type === 'ImportNamespaceSpecifier') {
			return [`const ${first.local.name} = ${load}`];
		}
		const names = node.specifiers.map((one) => {
			const imported = one.type === 'ImportSpecifier' ? nameOf(one.imported) : 'default';
			return imported === one.local.name ? imported : `${imported}: ${one.local.name}`;
		});
		return [`const { ${names.join(', ')} } = ${load}`];
	});
	return statements.join('');
}

const nameOf = (imported: { type: 'Identifier'; name: string } | { type: 'Literal'; raw?: string }): string =>
	imported.type === 'Identifier' ? imported.name : (imported.raw ?? '');

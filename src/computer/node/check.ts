import { bodyKind } from './loader/await.ts';
import { compileFunction } from './loader/evaluate.ts';
import { moduleFormat } from './loader/commonjs.ts';
import type { LoaderFiles } from './loader/files.ts';
import { explainSyntaxError, prepareCommonJs, prepareEsModule, toJavaScript } from './loader/transform.ts';

/** `node --check`: throws the SyntaxError with which running the file would fail. */
export function checkSyntax(files: LoaderFiles, file: string): void {
	const source = files.read(file);
	const code = toJavaScript(source, file);
	const isModule = moduleFormat(files, file, source) === 'module';
	try {
		const prepared = isModule ? prepareEsModule(code, file).code : prepareCommonJs(code);
		compileFunction(prepared, file, [], isModule ? bodyKind(prepared) : 'function');
	} catch (error) {
		throw error instanceof SyntaxError ? explainSyntaxError(error, code, file) : error;
	}
}

import { invalidValue, nodeError, unsupported } from '../runtime/errors.ts';
import { plainObject, oneOf, string } from '../runtime/validate.ts';
import { toJavaScript } from '../loader/transform.ts';

interface StripOptions {
	/** `strip` or `transform`. */
	mode?: unknown;
	sourceMap?: unknown;
	/** Added as the name of the file. */
	sourceUrl?: unknown;
}

/**
 * `module.stripTypeScriptTypes`: JavaScript of TypeScript, on the same lines but not in the same columns. Both modes
 * convert `enum` and the like, as files are run here.
 *
 * @throws ERR_INVALID_TYPESCRIPT_SYNTAX
 */
export function stripTypeScriptTypes(code: unknown, options: StripOptions = {}): string {
	string(code, 'code');
	plainObject(options, 'options');
	const { mode = 'strip', sourceMap = false, sourceUrl = '' } = options;
	oneOf(['strip', 'transform'])(mode, 'options.mode');
	string(sourceUrl, 'options.sourceUrl');
	if (mode === 'strip' && sourceMap !== false) {
		throw invalidValue('options.sourceMap', sourceMap, 'must be one of: false, undefined');
	}
	if (sourceMap)
		throw unsupported('module.stripTypeScriptTypes() with a source map', 'Lines stay the same without one.');
	const stripped = scriptOf(code as string);
	return sourceUrl === '' ? stripped : `${stripped}\n\n//# sourceURL=${sourceUrl as string}`;
}

function scriptOf(code: string): string {
	try {
		return toJavaScript(code, 'code.ts');
	} catch (error) {
		throw nodeError(SyntaxError, 'ERR_INVALID_TYPESCRIPT_SYNTAX', (error as Error).message);
	}
}

import { fatal } from '../errors.ts';

/**
 * Formats the line of a tree or index entry.
 *
 * @param fields by their names in parentheses: `%(path)`
 * @throws GitError for an unknown field
 */
export function entryLine(command: string, format: string, fields: Readonly<Record<string, () => string>>): string {
	const fault = (text: string) => fatal(`bad ${command} format: ${text}`);
	return format.replace(
		/%(?:(n|%)|x([0-9a-fA-F]{2})|\(([^)]*)\)|)/g,
		(whole: string, letter?: string, hex?: string, field?: string, at?: unknown) => {
			if (letter !== undefined) return letter === 'n' ? '\n' : '%';
			if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
			const value = field === undefined ? undefined : fields[field];
			if (value) return value();
			const rest = format.slice(Number(at) + 1);
			if (!rest.startsWith('(')) throw fault(`element '${rest}' does not start with '('`);
			if (field === undefined) throw fault(`element '${rest}' does not end in ')'`);
			throw fault(whole);
		}
	);
}

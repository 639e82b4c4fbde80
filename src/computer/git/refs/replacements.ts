import type { SyncSyscalls } from '#computer/abi/client.ts';
import { decode, encode } from '../bytes.ts';
import type { Config } from '../config/config.ts';
import { isObjectId } from '../objects/object-id.ts';
import { missingAsNull } from '../objects/store.ts';
import type { Refs } from './refs.ts';

/** Repository whose objects are replaced. */
interface Place {
	env: Readonly<Record<string, string>>;
	commonDir: string;
	files: SyncSyscalls;
	refs: Refs;
	config: Config;
	warn(text: string): void;
}

/** Namespace of the references that name replacements. */
export const replaceBase = ({ env }: Pick<Place, 'env'>): string => {
	const given = env['GIT_REPLACE_REF_BASE'] ?? 'refs/replace/';
	return given.endsWith('/') ? given : `${given}/`;
};

/** Replacements of objects, by the id of the replaced object. */
export function replacements(repository: Pick<Place, 'env' | 'refs' | 'warn'>): Map<string, string> {
	const found = new Map<string, string>();
	for (const { name, id } of repository.refs.list(replaceBase(repository))) {
		const replaced = name.slice(name.lastIndexOf('/') + 1);
		if (isObjectId(replaced)) found.set(replaced, id);
		else repository.warn(`bad replace ref name: ${name}`);
	}
	return found;
}

/** Path of the file with grafts: other parents of commits, in a form older than replacements. */
export const graftPath = ({ env, commonDir }: Pick<Place, 'env' | 'commonDir'>): string =>
	env['GIT_GRAFT_FILE'] ?? `${commonDir}/info/grafts`;

const DEPRECATED = [
	'Support for <GIT_DIR>/info/grafts is deprecated',
	'and will be removed in a future Git version.',
	'',
	'Please use "git replace --convert-graft-file"',
	'to convert the grafts into replace refs.',
	'',
	'Turn this message off by running',
	'"git config advice.graftFileDeprecated false"'
];

/** Parents that grafts give to commits; advises to convert them if there are any. */
export function readGrafts(repository: Pick<Place, 'env' | 'commonDir' | 'files' | 'config'>): Map<string, string[]> {
	const { files, config } = repository;
	const grafts = new Map<string, string[]>();
	const bytes = missingAsNull(() => files.readFile(graftPath(repository)));
	if (!bytes) return grafts;
	const text = decode(bytes);
	if (config.flag('advice.graftfiledeprecated', true))
		files.write(2, encode(DEPRECATED.map((line) => `hint: ${line}\n`).join('')));
	for (const line of text.split('\n')) {
		if (line.startsWith('#') || line.trim() === '') continue;
		const [id = '', ...parents] = line.trimEnd().split(' ');
		if ([id, ...parents].every((one) => isObjectId(one))) grafts.set(id, parents);
		else files.write(2, encode(`error: bad graft data: ${line}\n`));
	}
	return grafts;
}

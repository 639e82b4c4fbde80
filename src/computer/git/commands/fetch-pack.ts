import { fatal } from '../errors.ts';
import { joinedFilter } from '../history/filter-spec.ts';
import type { Command } from '../invocation.ts';
import { isObjectId } from '../objects/object-id.ts';
import { parseOptions } from '../options.ts';
import { connectAddress } from '../remote/connect-address.ts';
import { FetchSource } from '../remote/fetch-pack.ts';
import { inputRefs } from '../remote/input-refs.ts';

/** Fetches the objects of another repository's refs and prints these refs; updates no refs. */
export const fetchPack: Command = async (git, args) => {
	const options = parseOptions('fetch-pack [<options>] [<host>:]<directory> [<refs>...]', args, {
		all: '--all',
		stdin: '--stdin',
		depth: '--depth =',
		filter: '--filter = !',
		quiet: '-q --quiet',
		verbose: '-v --verbose',
		noProgress: '--no-progress',
		diag: '--diag-url',
		stateless: '--stateless-rpc',
		// Ignored: packs are kept as received and include tags.
		keep: '-k --keep',
		thin: '--thin --no-thin',
		tags: '--include-tag',
		program: '--upload-pack --exec ='
	});
	const [address, ...operands] = options.operands;
	if (address === undefined) throw fatal('fetch-pack needs the address of a repository');
	if (options.has('diag')) {
		const { protocol, host, port, path } = connectAddress(address);
		git.out(`Diag: url=${address}\nDiag: protocol=${protocol}\n`);
		git.out(
			protocol === 'ssh' ? `Diag: userandhost=${host}\nDiag: port=${port ?? 'NONE'}\n` : `Diag: hostandport=${host}\n`
		);
		git.out(`Diag: path=${path}\n`);
		return 0;
	}
	const depth = options.get('depth');
	if (depth !== undefined && !(Number(depth) > 0)) throw fatal(`depth ${depth} is not a positive number`);
	const names = [...operands];
	if (options.has('stdin')) names.push(...inputRefs(git, options.has('stateless')));
	const { repository } = git;
	const filter = joinedFilter(options.all('filter'));
	repository.objects.fetchNothing();
	const how = {
		depth: depth === undefined ? undefined : Number(depth),
		progress: false,
		tracedAs: 'fetch-pack' as const,
		program: options.get('program'),
		filter
	};
	const { source, advertisement } = await FetchSource.open(git, repository, address, how);
	const unique = [...new Set(names)];
	const wanted = advertisement.refs.filter(
		({ name, id }) => unique.includes(name) || unique.includes(id) || (options.has('all') && name !== 'HEAD')
	);
	const isThere = (name: string) => wanted.some((ref) => ref.name === name || ref.id === name);
	const ids = unique.filter((name) => isObjectId(name) && !isThere(name));
	await source.fetch([...wanted, ...ids.map((id) => ({ id }))], advertisement);
	await source.close();
	const shown = [...wanted, ...ids.map((id) => ({ id, name: id }))];
	git.out(shown.map(({ id, name }) => `${id} ${unique.includes(id) && !unique.includes(name) ? id : name}\n`).join(''));
	const missing = unique.filter((name) => !isObjectId(name) && !isThere(name));
	for (const name of missing) git.err(`error: no such remote ref ${name}\n`);
	return missing.length > 0 ? 1 : 0;
};

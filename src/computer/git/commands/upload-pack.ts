import { fatal, GitError } from '../errors.ts';
import type { Command, Invocation } from '../invocation.ts';
import { parseOptions } from '../options.ts';
import { advertise, inItsBand, upload, Upload } from '../remote/local-server.ts';
import { packet } from '../remote/packet.ts';
import { inputPackets, isFlush, packetText, readSection, type PacketReader } from '../remote/packet-reader.ts';
import { repositoryToServe } from '../remote/served-repository.ts';
import type { Repository } from '../repository.ts';

const USAGE = 'upload-pack [--[no-]strict] [--timeout=<n>] [--stateless-rpc] [--advertise-refs] <directory>';

/** `git upload-pack`: sends objects of a repository to the client at stdin and stdout. */
export const uploadPack: Command = async (git, args) => {
	const options = parseOptions(USAGE, args, {
		strict: '--strict !',
		advertises: '--advertise-refs --http-backend-info-refs',
		stateless: '--stateless-rpc',
		// Ignored: a client that is gone ends its pipes, and with them this process.
		timeout: '--timeout ='
	});
	const [path, ...more] = options.operands;
	if (path === undefined || more.length > 0) throw new GitError(`usage: git ${USAGE}`, 129);
	const repository = repositoryToServe(git.surroundings, path, options.has('strict'));
	if (options.has('stateless') && !options.has('advertises')) {
		git.out(upload(repository, git.input()));
		return 0;
	}
	git.out(advertise(repository, 'git-upload-pack'));
	git.flush();
	if (!options.has('advertises')) await converse(git, repository);
	return 0;
};

async function converse(git: Invocation, repository: Repository): Promise<void> {
	const packets = inputPackets(git);
	const lines = (await readSection(packets)).map(packetText);
	const wish = new Upload(repository, lines);
	if (wish.wants.length === 0) return;
	if (wish.fault !== null) {
		git.out(packet(`ERR ${wish.fault}`));
		throw fatal(`git ${wish.fault}`);
	}
	git.out(wish.shallow);
	const haves = await negotiate(git, repository, packets);
	git.out(inItsBand(lines, wish.pack(haves)));
}

/** Reads the commits that the client has, up to the end of its request, and says which it has in common. */
async function negotiate(git: Invocation, { objects }: Repository, packets: PacketReader): Promise<string[]> {
	const haves: string[] = [];
	let isCommon = false;
	git.flush();
	for (;;) {
		const next = await packets.next();
		if (next === null) throw fatal('the remote end hung up unexpectedly');
		const text = isFlush(next) ? '' : packetText(next);
		const [, id] = /^have ([0-9a-f]{40})$/.exec(text) ?? [];
		if (id !== undefined) {
			haves.push(id);
			// Without `multi_ack`, only the first one is confirmed.
			if (!isCommon && objects.has(id)) git.out(packet(`ACK ${id}\n`));
			isCommon ||= objects.has(id);
		} else if (text === 'done' || text === '') {
			if (!isCommon) git.out(packet('NAK\n'));
			if (text === 'done') return haves;
		} else throw fatal(`git upload-pack: expected SHA1 list, got '${text}'`);
		git.flush();
	}
}

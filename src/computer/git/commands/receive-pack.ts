import { concat } from '../bytes.ts';
import { GitError } from '../errors.ts';
import type { Command, Invocation } from '../invocation.ts';
import { NULL_ID } from '../objects/object.ts';
import { parseOptions } from '../options.ts';
import { advertise } from '../remote/local-server.ts';
import { FLUSH } from '../remote/packet.ts';
import { inputPackets, packetText, readSection } from '../remote/packet-reader.ts';
import { receivePack } from '../remote/receive-pack.ts';
import { serverHooks } from '../remote/server-hooks.ts';
import { repositoryToServe } from '../remote/served-repository.ts';

const USAGE = 'receive-pack <git-dir>';

/** `git receive-pack`: receives a push from the client at stdin and stdout. */
export const receivePackCommand: Command = async (git, args) => {
	const options = parseOptions(USAGE, args, {
		// Ignored: this process itself reports nothing to the user.
		quiet: '-q --quiet',
		advertises: '--advertise-refs --http-backend-info-refs',
		stateless: '--stateless-rpc'
	});
	const [path, ...more] = options.operands;
	if (path === undefined || more.length > 0) {
		const fault = path === undefined ? 'you must specify a directory' : 'too many arguments';
		throw new GitError(`fatal: ${fault}\n\nusage: git ${USAGE}`, 129);
	}
	const repository = repositoryToServe(git.surroundings, path, false);
	if (options.has('advertises') || !options.has('stateless')) {
		git.out(advertise(repository, 'git-receive-pack'));
		git.flush();
	}
	if (options.has('advertises')) return 0;
	const request = await readRequest(git);
	if (request) git.out(receivePack(repository, request, serverHooks(git, repository)));
	return 0;
};

/** A whole request; null if nothing is to be changed. */
async function readRequest(git: Invocation): Promise<Uint8Array | null> {
	const packets = inputPackets(git);
	const commands = await readSection(packets);
	if (commands.length === 0) return null;
	const texts = commands.map(packetText);
	const hasOptions = texts.some((text) => / push-options(?: |$)/.test(text.split('\0')[1] ?? ''));
	const options = hasOptions ? [...(await readSection(packets)), FLUSH] : [];
	// A client that only deletes sends no pack, and waits for the report.
	const hasPack = texts.some((text) => /^[0-9a-f]{40} [0-9a-f]{40} /.test(text) && !text.startsWith(NULL_ID, 41));
	const pack = hasPack ? [packets.takeRest(), git.input()] : [];
	return concat([...commands, FLUSH, ...options, ...pack]);
}

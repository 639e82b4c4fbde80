import { shellWord } from '#environment/shell-word.ts';
import type { ExecProtocol } from './exec-socket.ts';

/** Reads exactly so many bytes of the input, and nothing behind them. */
const TAKE = `take() { dd bs="$1" count=1 iflag=fullblock 2>/dev/null || dd bs=1 count="$1" 2>/dev/null; }`;

/** Becomes the program whose words are the first \`$1\` bytes of the input. */
const STARTED_BY_INPUT = `${TAKE}
eval "$(take "$1")"
`;

/**
 * The same where the end of the input cannot be said: it comes in pieces, each behind a line with its length, and ends
 * with a piece of none. What takes the pieces apart ends with the program.
 */
const STARTED_BY_PIECES = `${TAKE}
words=$(take "$1")
{
	sh -c 'echo "$PPID"'
	while read -r length && [ "$length" -gt 0 ]; do take "$length" || break; done
} | {
	read -r feeder
	(eval "$words")
	code=$?
	kill -s PIPE "$feeder" 2>/dev/null && kill -s CONT "$feeder" 2>/dev/null
	exit "$code"
}
`;

/**
 * Program that starts another one, and what it must be sent for that. The words are in its input and not in its own
 * words, since those are in an address, which has a limit and is in the audit log of the cluster.
 */
export function startedByInput(argv: readonly string[], protocol: ExecProtocol): { argv: string[]; input: Buffer } {
	const input = Buffer.from(`exec ${argv.map(shellWord).join(' ')}`);
	const script = protocol === 'v5.channel.k8s.io' ? STARTED_BY_INPUT : STARTED_BY_PIECES;
	return { argv: ['sh', '-c', script, 'sh', String(input.length)], input };
}

/** One piece of an input, as {@link startedByInput} takes it apart in the older protocol. */
export const piece = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from(`${bytes.length}\n`), bytes]);

/** End of an input in pieces. */
export const LAST_PIECE = Buffer.from('0\n');

import { shellWord } from '#environment/shell-word.ts';
import type { ExecProtocol } from './exec-socket.ts';

/** Reads exactly `$1` bytes of the input and nothing beyond. */
const TAKE = `take() { dd bs="$1" count=1 iflag=fullblock 2>/dev/null || dd bs=1 count="$1" 2>/dev/null; }`;

/** Replaces itself by the program whose command line is the first `$1` bytes of the input. */
const STARTED_BY_INPUT = `${TAKE}
eval "$(take "$1")"
`;

/**
 * The same for the older protocol, which cannot signal the end of the input: it arrives in pieces, each after a line
 * with its length, and ends with a piece of length 0. The process that reads the pieces is ended together with the
 * program.
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
 * Builds a command that starts a program, and the input it needs for that. The program's arguments are in the input,
 * since a command's own arguments are part of a URL, which is limited in length and appears in the cluster's audit log.
 */
export function startedByInput(argv: readonly string[], protocol: ExecProtocol): { argv: string[]; input: Buffer } {
	const input = Buffer.from(`exec ${argv.map(shellWord).join(' ')}`);
	const script = protocol === 'v5.channel.k8s.io' ? STARTED_BY_INPUT : STARTED_BY_PIECES;
	return { argv: ['sh', '-c', script, 'sh', String(input.length)], input };
}

/** Encodes one piece of the input for the script of {@link startedByInput} in the older protocol. */
export const piece = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from(`${bytes.length}\n`), bytes]);

/** Ends an input sent in pieces. */
export const LAST_PIECE = Buffer.from('0\n');

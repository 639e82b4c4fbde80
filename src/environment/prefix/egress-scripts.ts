import { shellWord } from '../shell-word.ts';

/** Exit code if no program on the other side can listen. */
export const NO_LISTENER = 69;

/**
 * Serves one connection on its standard streams: creates a pair of named pipes for it in `$1`, announces their name on
 * file descriptor 3 and forwards data through them. Uses `dd`, which forwards data at once; BusyBox's `cat` buffers
 * what it reads from a socket until the end.
 */
const CONNECTION = `
pipes=$1/$$
mkfifo "$pipes.in" "$pipes.out" || exit 1
printf '%s\\n' "$$" >&3 || { rm -f "$pipes.in" "$pipes.out"; exit 1; }
exec 4<&0
dd bs=65536 <&4 >"$pipes.out" 2>/dev/null 3>&- &
sender=$!
cat "$pipes.in" 3>&- 4<&-
kill "$sender" 2>/dev/null
rm -f "$pipes.in" "$pipes.out"
`;

const PERL = `
use IO::Socket::INET;
my ($port, $script, $pipes) = @ARGV;
my $server = IO::Socket::INET->new(Listen => 64, LocalAddr => "127.0.0.1", LocalPort => $port, ReuseAddr => 1) or exit 1;
$SIG{CHLD} = "IGNORE";
while (1) {
	my $connection = $server->accept or next;
	if (!fork) {
		$SIG{CHLD} = "DEFAULT";
		open STDIN, "<&", $connection;
		open STDOUT, ">&", $connection;
		exec "sh", "-c", $script, "sh", $pipes;
	}
	close $connection;
}
`;

const PYTHON = `
import os, signal, socket, sys
port, script, pipes = sys.argv[1:]
server = socket.socket()
server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
server.bind(("127.0.0.1", int(port)))
server.listen(64)
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
while True:
	connection, _ = server.accept()
	if os.fork() == 0:
		signal.signal(signal.SIGCHLD, signal.SIG_DFL)
		os.dup2(connection.fileno(), 0)
		os.dup2(connection.fileno(), 1)
		os.execvp("sh", ["sh", "-c", script, "sh", pipes])
	connection.close()
`;

/**
 * Listens on port `$1` with an available program until its input ends. Prints the directory of the pipes when the port
 * is open, then one line per connection. `$2` lists the programs to try, in order, `$3` is the certificate of the
 * authority, if any, and `$4` its file name in that directory.
 */
export const LISTENER = `
pipes=$(mktemp -d "\${TMPDIR:-/tmp}/sandglass-egress-XXXXXX") || exit 1
[ -z "$3" ] || printf '%s\\n' "$3" >"$pipes/$4" || exit 1
port=$1
connection=${shellWord(CONNECTION)}
exec 3>&1 4<&0
is_alone() { for device in /sys/class/net/*; do [ "\${device##*/}" = lo ] || return 1; done; }
listener=
for program in $2; do
	command -v "$program" >/dev/null || continue
	case $program in
	perl) perl -MIO::Socket::INET -e 1 2>/dev/null || continue
		perl -e ${shellWord(PERL)} "$port" "$connection" "$pipes" 4<&- & ;;
	python3) python3 -c ${shellWord(PYTHON)} "$port" "$connection" "$pipes" 4<&- & ;;
	nc) is_alone && case $(nc --help 2>&1) in *-ll*) ;; *) false ;; esac || continue
		nc -ll -p "$port" -e sh -c "$connection" sh "$pipes" 4<&- & ;;
	esac
	listener=$!
	break
done
[ -n "$listener" ] || { rm -rf "$pipes"; exit ${NO_LISTENER}; }
address=$(printf '%04X' "$port")
while [ -r /proc/net/tcp ]; do
	case $(cat /proc/net/tcp /proc/net/tcp6 2>/dev/null) in
	*":$address 00000000:0000 0A"* | *":$address 00000000000000000000000000000000:0000 0A"*) break ;;
	esac
	kill -s 0 "$listener" 2>/dev/null || { rm -rf "$pipes"; exit 1; }
	sleep 0.05 2>/dev/null || sleep 1
done
printf '%s\\n' "$pipes"
cat <&4 >/dev/null 3>&-
kill "$listener" 2>/dev/null
rm -rf "$pipes"
`;

/**
 * Programs that can listen, cheapest first. The last one is BusyBox's, which listens on all addresses and is therefore
 * used only if there is no other network than the loopback.
 */
export const LISTENERS = 'perl python3 nc';

/** Connects its standard input and output to the pipes `$1` of one connection. */
export const CARRIER = `
exec 4<&0
cat <&4 >"$1.in" &
feeder=$!
cat "$1.out" 4<&-
kill "$feeder" 2>/dev/null
exit 0
`;

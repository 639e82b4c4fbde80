# Runs the tests of the module $1 and prints the result of each. A test that ends the interpreter, or makes no progress
# for 90 seconds, is skipped, and the others continue. Starting the interpreter has no such limit: it is slow on a busy
# machine. After 800 seconds no further attempt is made.
results=$PWD/../results
: > "$results"
begun=-1
while [ "$SECONDS" -lt 800 ]; do
	python3 "$SUITE_ROOT/run.py" "$1" "$results" > /dev/null 2>> ../diagnosis &
	python=$!
	started=$(wc -c < "$results") size=-1 quiet=0
	while kill -0 "$python" 2> /dev/null; do
		sleep 0.5
		now=$(wc -c < "$results")
		if [ "$now" -ne "$size" ] || [ "$now" -eq "$started" ]; then
			size=$now quiet=0
		else
			quiet=$((quiet + 1))
		fi
		if [ "$quiet" -ge 180 ] || [ "$SECONDS" -ge 950 ]; then kill -9 "$python"; fi
	done
	wait "$python"
	if grep -q '^end$' "$results"; then break; fi
	before=$begun
	begun=$(grep -c '^begin ' "$results")
	if [ "$begun" -eq "$before" ]; then break; fi
done
cat "$results"
tail -c 3000 ../diagnosis >&2

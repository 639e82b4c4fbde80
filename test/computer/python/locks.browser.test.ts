import { afterAll, beforeAll, expect, it } from 'vitest';
import type { WasmExecutionEnvironment } from '#computer/host/execution-environment.ts';
import { pythonSandbox } from './sandbox.ts';

let sandbox: WasmExecutionEnvironment;
beforeAll(async () => {
	sandbox = await pythonSandbox();
});
afterAll(() => sandbox.cleanup());

const HOLD = `import fcntl, os, subprocess, sys
file = open('a', 'w')
fcntl.lockf(file, fcntl.LOCK_EX, 10, 5)
fcntl.lockf(file, fcntl.LOCK_UN, 2, 8)
ask = lambda: print(subprocess.run([sys.executable, 'ask.py'], capture_output=True, text=True).stdout, end='')
ask()
open('a').close()
ask()`;

const ASK = `import fcntl
file = open('a', 'r+')
answers = []
for at in (4, 5, 8, 9, 10, 14, 15):
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, at)
        answers.append(at)
    except BlockingIOError: pass
print(*answers)`;

it('locks parts of a file as on Unix: per process, until it closes the file', async () => {
	await sandbox.writeFile('hold.py', HOLD);
	await sandbox.writeFile('ask.py', ASK);
	const result = await sandbox.exec('python3 hold.py', { timeoutMs: 50_000 });
	expect(result).toMatchObject({ stderr: '', stdout: '4 8 9 15\n4 5 8 9 10 14 15\n' });
});

it('waits for a lock, until the process that holds it has ended or a signal arrives', async () => {
	await sandbox.writeFile(
		'first.py',
		`import fcntl, time
file = open('b', 'w')
fcntl.lockf(file, fcntl.LOCK_EX)
open('ready', 'w').close()
time.sleep(1)
print('first', flush=True)`
	);
	await sandbox.writeFile(
		'second.py',
		`import fcntl, os, time
while not os.path.exists('ready'): time.sleep(0.01)
file = open('b', 'r+')
fcntl.lockf(file, fcntl.LOCK_EX)
print('second')`
	);
	const waited = await sandbox.exec('python3 first.py & python3 second.py; wait', { timeoutMs: 50_000 });
	expect(waited).toMatchObject({ stderr: '', stdout: 'first\nsecond\n' });
	await sandbox.writeFile(
		'interrupted.py',
		`import fcntl, os, signal, subprocess, sys
file = open('c', 'w')
fcntl.lockf(file, fcntl.LOCK_EX)
child = subprocess.Popen([sys.executable, '-c', '''import fcntl, sys
file = open('c', 'r+')
print('waits', flush=True)
try: fcntl.lockf(file, fcntl.LOCK_EX)
except KeyboardInterrupt: print('interrupted')'''], stdout=subprocess.PIPE, text=True)
print(child.stdout.readline(), end='')
child.send_signal(signal.SIGINT)
print(child.communicate()[0], end='')`
	);
	const interrupted = await sandbox.exec('python3 interrupted.py', { timeoutMs: 50_000 });
	expect(interrupted).toMatchObject({ stderr: '', stdout: 'waits\ninterrupted\n' });
});

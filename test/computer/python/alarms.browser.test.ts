import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { pythonSandbox } from './sandbox.ts';

let sandbox: ExecutionEnvironment;
const LIMIT_MS = 120_000;
const run = (command: string) => sandbox.exec(command, { timeoutMs: LIMIT_MS });

beforeAll(async () => {
	sandbox = await pythonSandbox();
});
afterAll(() => sandbox.cleanup());

/** Prints the same with a real CPython. */
const ALARMS = `
import os, signal, socket, time
class Late(Exception): pass
def late(number, frame): raise Late(signal.Signals(number).name)
print(signal.signal(signal.SIGALRM, late))
def limited(task):
    start = time.monotonic()
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try: task()
    except Late as error: print(task.__name__, error, 0.2 < time.monotonic() - start < 2)
def computes():
    while True: pass
def sleeps(): time.sleep(30)
def receives():
    with socket.create_server(('127.0.0.1', 0)) as server, socket.create_connection(server.getsockname()) as client: client.recv(1)
for task in (computes, sleeps, receives): limited(task)
print(signal.getitimer(signal.ITIMER_REAL), signal.alarm(20), signal.alarm(0), signal.alarm(0))
count = 0
def ticks(*_):
    global count
    count += 1
signal.signal(signal.SIGALRM, ticks)
print(signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05), signal.getitimer(signal.ITIMER_REAL)[1])
while count < 3: time.sleep(0.01)
signal.setitimer(signal.ITIMER_REAL, 0)
for wrong in ((9, 1), (signal.ITIMER_REAL, -1)):
    try: signal.setitimer(*wrong)
    except signal.ItimerError as error: print('refused', isinstance(error, OSError))
os.kill(os.getpid(), signal.SIGALRM)
print(count > 3, flush=True)
signal.signal(signal.SIGALRM, signal.SIG_IGN)
signal.setitimer(signal.ITIMER_REAL, 0.05)
time.sleep(0.2)
signal.signal(signal.SIGALRM, signal.SIG_DFL)
signal.setitimer(signal.ITIMER_REAL, 0.05)
time.sleep(30)
`;

it('an alarm interrupts what runs and what waits, or ends the program', { timeout: LIMIT_MS }, async () => {
	await sandbox.writeFile('alarms.py', ALARMS);
	expect(await run('python3 alarms.py')).toMatchObject({
		stdout: [
			'0',
			'computes SIGALRM True',
			'sleeps SIGALRM True',
			'receives SIGALRM True',
			'(0.0, 0.0) 0 20 0',
			'(0.0, 0.0) 0.05',
			'refused True',
			'refused True',
			'True',
			''
		].join('\n'),
		exitCode: 142
	});
});

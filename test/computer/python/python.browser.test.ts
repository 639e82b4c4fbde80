import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { PYTHON_VERSION } from '#computer/abi/versions.ts';
import { PackageIndex } from './package-index.ts';
import { lines } from './lines.ts';
import { pythonSandbox } from './sandbox.ts';

let sandbox: ExecutionEnvironment;
const index = new PackageIndex('https://index.test/simple/');
const LIMIT_MS = 170_000;
const run = (command: string, stdin?: string) => sandbox.exec(command, { timeoutMs: LIMIT_MS, stdin });

beforeAll(async () => {
	sandbox = await pythonSandbox((request) => index.answer(request));
});
afterAll(() => sandbox.cleanup());

describe('Python', { timeout: LIMIT_MS }, () => {
	it('tells by compiling what a change broke, once it is in use: it is not loaded only for that', async () => {
		const broken = async (text: string) => {
			const before = new TextEncoder().encode('def f():\n    return 1\n');
			const edits = [{ path: '/workspace/broken.py', before, after: new TextEncoder().encode(text) }];
			return (await sandbox.diagnostics!.newProblems(edits, { withinMs: LIMIT_MS })).problems;
		};
		expect(await broken('def f(:\n')).toEqual([]);
		expect(await run('python3 -c "print(1)"')).toMatchObject({ stdout: '1\n' });
		expect(await broken('def f():\n    return (1\n')).toMatchObject([
			{ path: '/workspace/broken.py', line: 2, column: 12, message: "SyntaxError: '(' was never closed" }
		]);
		expect(await broken('def f():\n    return open(0)\n')).toEqual([]);
	});

	it('runs lines of the language and of the standard library as CPython does', async () => {
		// All in one interpreter: starting one for each would take as long as the whole suite.
		await sandbox.writeFile('lines.json', JSON.stringify(lines.map(({ code }) => code)));
		await sandbox.writeFile('each.py', EACH);
		const { stdout, stderr, exitCode } = await run('python3 each.py');
		expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
		const results = JSON.parse(stdout) as { stdout: string; stderr: string; exitCode: number }[];
		for (const [at, line] of lines.entries()) {
			const result = results[at];
			expect({ code: line.code, stdout: result?.stdout }).toEqual({ code: line.code, stdout: line.stdout });
			expect(result?.exitCode).toBe(line.exitCode ?? 0);
			if (line.stderr) expect(result?.stderr).toMatch(line.stderr);
		}
	});

	it('waits for threads at the end, but not for daemons, and raises Ctrl-C in the main one', async () => {
		const program = `
import threading, time
threading.Thread(target=lambda: time.sleep(600), daemon=True).start()
threading.Thread(target=lambda: (time.sleep(0.05), print('late'))).start()
print('first')
`;
		expect(await run('python3 -', program)).toMatchObject({ stdout: 'first\nlate\n', stderr: '', exitCode: 0 });
		const waiting = `
import threading
thread = threading.Thread(target=threading.Event().wait, daemon=True)
thread.start()
print(1, flush=True)
thread.join()`;
		expect(
			await run(`python3 -c '${waiting}' | (read line; pkill -INT python3; cat); echo "\${PIPESTATUS[0]}"`)
		).toEqual(
			expect.objectContaining({ stdout: '130\n', stderr: expect.stringContaining('KeyboardInterrupt') as string })
		);
	});

	it('runs other threads while one waits for standard input, under another number too', async () => {
		await sandbox.writeFile(
			'worker.py',
			`import os, queue, sys, threading
source = sys.stdin.buffer
if sys.argv[1:]:
    source = os.fdopen(os.dup(0), 'rb', int(sys.argv[1])); os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
lines = queue.Queue()
def read():
    while line := source.readline(): lines.put(line)
    lines.put(None)
threading.Thread(target=read).start()
while (line := lines.get()) is not None: print(line.decode().upper(), end='', flush=True)
`
		);
		await sandbox.writeFile(
			'asking.py',
			`import subprocess, sys
for words in ([], ['-1'], ['0']):
    with subprocess.Popen([sys.executable, 'worker.py', *words], stdin=-1, stdout=-1, text=True, bufsize=1) as worker:
        for word in ('one', 'two'):
            worker.stdin.write(word + '\\n'); print(worker.stdout.readline(), end='')
        worker.stdin.close(); print(worker.stdout.read(), worker.wait())
`
		);
		const { stdout, stderr } = await run('timeout 40 python3 asking.py');
		expect({ stdout, stderr }).toEqual({ stdout: 'ONE\nTWO\n 0\n'.repeat(3), stderr: '' });
	});

	it('has no terminals to open, and describes its built-in modules as those of the library', async () => {
		const { stdout } = await run(
			`python3 -c 'import os, importlib.util
print([name for name in ("os", "abc", "io", "json") if not importlib.util.find_spec(name).origin.endswith(".py")])
try: os.openpty()
except OSError as error: print(error.strerror.partition(".")[0])'`
		);
		expect(stdout).toBe('[]\nPython cannot open terminals in the browser\n');
	});

	it('finds the time zones of a Debian, as the shell and Node do', async () => {
		const program = `
import datetime, zoneinfo
berlin = zoneinfo.ZoneInfo('Europe/Berlin')
print(berlin, datetime.datetime(2026, 7, 1, 12, tzinfo=berlin), datetime.datetime(1945, 6, 1, tzinfo=berlin).tzname())
print(datetime.datetime(2050, 1, 1, tzinfo=zoneinfo.ZoneInfo('America/St_Johns')).isoformat())
print(len(zoneinfo.available_timezones()) > 590, zoneinfo.ZoneInfo('Europe/Oslo').utcoffset(datetime.datetime(2026, 1, 1)))
try:
    zoneinfo.ZoneInfo('Europe/Nowhere')
except zoneinfo.ZoneInfoNotFoundError as error:
    print(type(error).__name__)
`;
		expect(await run('python3 -', program)).toMatchObject({
			stdout:
				'Europe/Berlin 2026-07-01 12:00:00+02:00 CEMT\n2050-01-01T00:00:00-03:30\nTrue 1:00:00\n' +
				'ZoneInfoNotFoundError\n',
			exitCode: 0
		});
		const zones = '/usr/share/zoneinfo';
		expect(await run(`cd ${zones}; head -c 4 Europe/Berlin; readlink Arctic/Longyearbyen; ls -d U*`)).toMatchObject({
			stdout: 'TZif../Europe/Berlin\nUCT\nUS\nUTC\nUniversal\n'
		});
		const reading = `fs.readFileSync('${zones}/zone.tab', 'latin1').match(/DE.*Berlin/)[0]`;
		expect((await run(`node -p "${reading}"`)).stdout).toBe('DE\t+5230+01322\tEurope/Berlin\n');
	});

	it('keeps a removed file, and a pipe, as long as one of its descriptors is open', async () => {
		const program = `
import os, shutil, subprocess, tempfile
with tempfile.TemporaryFile(buffering=0) as file:
    saved = os.dup(1)
    os.dup2(file.fileno(), 1)
    os.write(1, b'captured')
    subprocess.run(['sh', '-c', 'printf " as"; printf " well" >&2'], stderr=subprocess.STDOUT)
    os.dup2(saved, 1)
    os.close(saved)
    file.seek(0)
    print(file.read(), file.tell())
print(shutil.which('cat'), subprocess.run(['/bin/cat'], input=b'given', capture_output=True).stdout)
pipe = os.open('/tmp/pipe', os.O_RDWR)
os.close(os.dup(pipe))
os.write(pipe, b'through')
print(os.read(pipe, 7))
os.close(pipe)
os.close(os.open('/tmp/pipe', os.O_RDONLY | os.O_NONBLOCK))
print('not waited')
`;
		await sandbox.writeFile('/workspace/descriptors.py', program);
		const { stdout, stderr } = await run('mkfifo /tmp/pipe; python3 descriptors.py');
		expect({ stdout, stderr }).toEqual({
			stdout: "b'captured as well' 16\n/usr/bin/cat b'given'\nb'through'\nnot waited\n",
			stderr: ''
		});
	});

	it('says of itself the version that models are given', async () => {
		const version = `Python ${PYTHON_VERSION}\n`;
		expect(await run('python3 --version')).toMatchObject({ stdout: version });
		const said = `import platform; print('Python', platform.python_version())`;
		expect(await run(`python3 -c "${said}"`)).toMatchObject({ stdout: version });
		expect(sandbox.description).toContain(PYTHON_VERSION);
	});

	it('runs files, modules, and programs from standard input, with arguments and exit codes', async () => {
		await sandbox.writeFile('args.py', 'import sys\nprint(sys.argv, __name__)\nprint(input())\nsys.exit(7)\n');
		expect(await run('echo word | python3 args.py a b')).toMatchObject({
			stdout: "['args.py', 'a', 'b'] __main__\nword\n",
			exitCode: 7
		});
		expect(await run('python3 - x', 'import sys; print(sys.argv)')).toMatchObject({ stdout: "['-', 'x']\n" });
		expect(await run(`python3 -m json.tool --compact`, '{"a": [1]}')).toMatchObject({ stdout: '{"a":[1]}\n' });
		expect(await run('python3 nowhere.py')).toMatchObject({
			stderr: "python3: can't open file '/workspace/nowhere.py': [Errno 2] No such file or directory\n",
			exitCode: 2
		});
	});

	it('runs unittest, and tests written for pytest', async () => {
		await sandbox.writeFile('suite/test_sums.py', PYTEST);
		await sandbox.writeFile('suite/conftest.py', 'import pytest\n@pytest.fixture\ndef ten():\n    yield 10\n');
		const { stdout, exitCode } = await run('cd suite && pytest');
		expect(stdout).toContain('collected 8 items');
		expect(stdout).toContain('E       assert [1, 2] == [1, 3]');
		expect(stdout).toContain('At index 1 diff: 2 != 3');
		expect(stdout).toContain('FAILED test_sums.py::test_wrong - assert [1, 2] == [1, 3]');
		expect(stdout).toMatch(/1 failed, 6 passed, 1 skipped in /);
		expect(exitCode).toBe(1);
		const chosen = await run('cd suite && python3 -m pytest -q -k "not wrong"');
		expect(chosen.stdout).toMatch(/6 passed, 1 skipped, 1 deselected/);
		expect(chosen.exitCode).toBe(0);
		await sandbox.writeFile('old/test_old.py', UNITTEST);
		const old = await run('cd old && python3 -m unittest');
		expect(old.stderr).toMatch(/Ran 2 tests[^]*FAILED \(failures=1\)/);
		expect(old.exitCode).toBe(1);
	});

	it('runs the examples of docstrings, as the project’s configuration for pytest asks', async () => {
		await sandbox.writeFile('sums/pyproject.toml', PYPROJECT);
		await sandbox.writeFile('sums/src/calc.py', EXAMPLES);
		await sandbox.writeFile('sums/tests/test_calc.py', 'from calc import add\ndef test_add(): assert add(1, 2) == 3\n');
		const { stdout, exitCode } = await run('cd sums && pytest');
		expect(stdout).toContain('configfile: pyproject.toml');
		expect(stdout).toContain('collected 3 items');
		expect(stdout).toMatch(/calc\.py:6: add\(2, 2\)\nE +Expected:\nE +5\nE +Got:\nE +4\n/);
		expect(stdout).toContain('FAILED src/calc.py::calc.add');
		expect(stdout).toMatch(/1 failed, 2 passed in /);
		expect(exitCode).toBe(1);
		const unknown = await run('cd sums && pytest --cov=src');
		expect(unknown.stderr).toContain('unrecognized arguments: --cov=src');
		expect(unknown.stderr).toContain('pip install pytest');
		expect(unknown.exitCode).toBe(4);
	});

	it('ends an endless loop at its time limit', async () => {
		await sandbox.writeFile('loop.py', 'while True: pass\n');
		const result = await sandbox.exec('python3 loop.py', { timeoutMs: 1_000 });
		expect(result.timedOut).toBe(true);
	});

	it('raises RecursionError where a recursion through C has no end, in threads too', async () => {
		const script = `import threading
class Shown:
    def __repr__(self): return repr(self)
def sort(key): return sorted([1, 2], key=sort)
def recurse():
    for name, call in ("repr", lambda: repr(Shown())), ("sorted", lambda: sort(1)):
        try: call()
        except RecursionError: print(name)
recurse()
thread = threading.Thread(target=recurse)
thread.start()
thread.join()
class Deep:
    def __init__(self, inner): self.inner = inner
    def __eq__(self, other): return self.inner == other.inner
one = other = None
for _ in range(600): one, other = Deep(one), Deep(other)
print(one == other)`;
		await sandbox.writeFile('/workspace/recursion.py', script);
		const names = 'repr\nsorted\n';
		const { stdout, stderr } = await sandbox.exec('python3 recursion.py', { timeoutMs: 60_000 });
		expect(stderr).toBe('');
		expect(stdout).toBe(`${names}${names}True\n`);
	});

	it('turns an interrupt into KeyboardInterrupt', async () => {
		await sandbox.writeFile(
			'patient.py',
			'import time\ntry:\n    print("ready", flush=True)\n    while True: pass\nexcept KeyboardInterrupt:\n    print("stopped")\n    raise\n'
		);
		// 130, the exit code of a process ended by SIGINT.
		const { stdout } = await run('python3 -', INTERRUPT);
		expect(stdout).toMatch(/^ready\nstopped\nTraceback[^]*KeyboardInterrupt\n-2\n$/);
	});

	it('answers SQL on the command line and from a script', async () => {
		const sql = "create table t(a integer, b text); insert into t values(1,'x'),(2,NULL);";
		expect((await run(`sqlite3 shop.db "${sql}"`)).exitCode).toBe(0);
		const script = [
			'select * from t;',
			'.headers on',
			'select a, b from t where a = 1;',
			'.mode csv',
			'select a, b from t;',
			'.mode json',
			'select * from t;',
			'.mode column',
			'select a, b from t;',
			'.tables',
			'.schema',
			'.mode list',
			'.nullvalue NIL',
			'select b from t where a = 2;',
			'select 1.0, 1e100, count(*) from t;',
			'.dump t'
		].join('\n');
		const { stdout } = await run('sqlite3 shop.db', script);
		expect(stdout).toBe(SQLITE);
		expect(await run('sqlite3 shop.db "select nope from t"')).toMatchObject({ exitCode: 1 });
		expect(await run(`sqlite3 -json shop.db "select a from t"`)).toMatchObject({ stdout: '[{"a":1},\n{"a":2}]\n' });
		await sandbox.writeFile('in.csv', 'n,m\n1,"a,b"\n2,c\n');
		expect(await run(`sqlite3 -csv shop.db ".import in.csv u" "select m from u"`)).toMatchObject({
			stdout: '"a,b"\r\nc\r\n'
		});
	});

	it('installs a wheel from a file, refuses compiled ones, and forgets it again', async () => {
		await sandbox.writeFile('wheel.py', WHEEL);
		const installed = await run(
			'python3 wheel.py && pip install ./tiny-1.0-py3-none-any.whl && cd / && python3 -c "import tiny; print(tiny.x)"'
		);
		expect(installed.stderr).toBe('');
		expect(installed.stdout).toMatch(/Successfully installed tiny-1\.0\n41\n$/);
		const refused = await run('pip install ./tiny-1.0-cp314-cp314-manylinux_2_17_x86_64.whl');
		expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('has no pure Python wheel') });
		expect((await run('pip uninstall -y tiny; pip list')).stdout).toBe('Successfully uninstalled tiny-1.0\n');

		for (const tag of ['py3-none-any', 'cp314-cp314-manylinux_2_17_x86_64']) {
			const name = `tiny-1.0-${tag}.whl`;
			index.files.set(name, await sandbox.readBytes(name));
		}
		const found = await run(`export PIP_INDEX_URL=${index.address}; pip install 'Tiny>=1'; pip install nowhere`);
		expect(found.stdout).toContain('Successfully installed tiny-1.0\n');
		expect(found.stderr).toContain('No matching distribution found for nowhere');
		index.forged = true;
		const forged = await run(`pip install --index-url ${index.address} --upgrade tiny`);
		expect(forged).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('does not match the hash') });
		const elsewhere = await run('pip install --index-url https://elsewhere.test/simple other');
		expect(elsewhere.stderr).toMatch(/Could not reach elsewhere\.test: .*not in this test/);
	});

	it('reads the options of pip and of requirements files, and refuses those that it does not have', async () => {
		await sandbox.writeFile('wheel.py', WHEEL);
		await run('python3 wheel.py; pip uninstall -y tiny');
		const wheel = await sandbox.readBytes('tiny-1.0-py3-none-any.whl');
		for (const version of ['1.0', '2.0', '3.0rc1']) index.files.set(`tiny-${version}-py3-none-any.whl`, wheel);
		index.forged = false;
		const pip = (words: string) =>
			run(`export PIP_INDEX_URL=${index.address}; pip ${words}; pip freeze; pip uninstall -yq tiny`);
		await sandbox.writeFile('more/limits.txt', 'Tiny<2 # the next one is not ready\n');
		await sandbox.writeFile('more/all.txt', '-c limits.txt\ntiny \\\n  >= 1\n');
		expect((await pip('install -r more/all.txt')).stdout).toContain('Successfully installed tiny-1.0\n');
		expect((await pip('install --pre tiny')).stdout).toContain('Successfully installed tiny-3.0rc1\n');
		expect((await pip('install tiny --no-cache-dir --timeout 5 -qq')).stdout).toBe('tiny==1.0\n');
		const hash = (await run('sha256sum tiny-1.0-py3-none-any.whl')).stdout.slice(0, 64);
		await sandbox.writeFile('locked.txt', `tiny==1.0 \\\n  --hash=sha256:${hash}\n`);
		expect((await pip('install --require-hashes -r locked.txt')).stdout).toContain('Successfully installed tiny-1.0\n');
		await sandbox.writeFile('locked.txt', `tiny==1.0 --hash=sha256:${'0'.repeat(64)}\n`);
		expect((await pip('install -r locked.txt')).stderr).toContain(
			'none of the hashes that the requirements file names'
		);
		await sandbox.writeFile(
			'needing.py',
			WHEEL.replaceAll('tiny', 'large').replace('Version: 1.0', 'Version: 1.0\\nRequires-Dist: tiny')
		);
		await run('python3 needing.py');
		const both = await pip('install large-1.0-py3-none-any.whl nowhere');
		expect(both).toMatchObject({
			stdout: expect.not.stringContaining('large==1.0'),
			stderr: expect.stringContaining('nowhere')
		});
		const needed = await pip('install -q --no-deps ./large-1.0-py3-none-any.whl; pip install -q large');
		expect(needed.stdout).toBe('large==1.0\ntiny==1.0\n');
		// In the real pip's formats.
		const shown = await run(
			'pip install -q ./tiny-1.0-py3-none-any.whl; pip list; pip list --format=json; pip show large nowhere; pip check; pip uninstall -yq tiny; pip check'
		);
		expect(shown).toMatchObject({
			stdout:
				'Package Version\n------- -------\nlarge   1.0\ntiny    1.0\n[{"name": "large", "version": "1.0"}, {"name": "tiny", "version": "1.0"}]\nName: large\nVersion: 1.0\nSummary: \nHome-page: \nAuthor: \nAuthor-email: \nLicense: \nLocation: /home/user/.local/lib/python3.14/site-packages\nRequires: tiny\nRequired-by: \nNo broken requirements found.\nlarge 1.0 requires tiny, which is not installed.\n',
			stderr: 'WARNING: Package(s) not found: nowhere\n',
			exitCode: 1
		});
		await run('pip uninstall -y large');
		for (const [words, message] of [
			['install -t elsewhere tiny', '-t is not supported in the browser'],
			['install --nonsense tiny', 'no such option: --nonsense'],
			['install -r nowhere.txt', 'Could not open requirements file']
		] as const)
			expect(await run(`pip ${words}`)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(message) });
		expect((await run('pip install --upgrade pip')).stdout).toBe(
			"Requirement already satisfied: pip (the sandbox's own)\n"
		);
		expect((await run('pip install nowhere 2>&1 | head -1')).stdout).toBe('Collecting nowhere\n');
		expect(await run('pip install --help')).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Usage:') });
	});

	it('installs a project where it is, with what it and its extras need and the commands it brings', async () => {
		await sandbox.writeFile('wheel.py', WHEEL);
		await run('python3 wheel.py; mkdir -p new/src/fresh old; pip uninstall -y tiny');
		index.forged = false;
		index.files.set('tiny-1.0-py3-none-any.whl', await sandbox.readBytes('tiny-1.0-py3-none-any.whl'));
		await sandbox.writeFile(
			'new/src/fresh/__init__.py',
			'__version__ = "1.2"\ndef main(): print("fresh", __version__)\n'
		);
		await sandbox.writeFile(
			'new/pyproject.toml',
			`[project]\nname = "fresh"\ndynamic = ["version"]\n[project.scripts]\nfresh-it = "fresh:main"\n[project.optional-dependencies]\ndev = ["tiny>=1; python_version > '3.9'"]\nall = ["fresh[dev]"]\n`
		);
		const setup = `from setuptools import setup, find_packages\nsetup(name="old", version=open("v").read(), py_modules=["aged"], install_requires=["fresh"], packages=find_packages())\n`;
		for (const [file, text] of [
			['setup.py', setup],
			['v', '3.1'],
			['aged.py', 'x = 5\n']
		] as const)
			await sandbox.writeFile(`old/${file}`, text);
		expect(await run('pip install -e ./new && fresh-it && python3 -c "import tiny"')).toMatchObject({
			stdout: expect.stringMatching(/Successfully installed fresh-1\.2\nfresh 1\.2\n$/),
			stderr: expect.stringContaining("No module named 'tiny'")
		});
		const whole = await run(
			`cd new && pip install --index-url ${index.address} -e ".[all]" && cd ../old && pip install .`
		);
		expect(whole).toMatchObject({ stderr: '', exitCode: 0 });
		expect((await run('cd / && python3 -c "import tiny, aged; print(tiny.x + aged.x)"; pip freeze')).stdout).toBe(
			'46\nfresh==1.2\nold==3.1\ntiny==1.0\n'
		);
		expect((await run('pip uninstall -y fresh old tiny; fresh-it')).stderr).toContain('fresh-it: command not found');
		expect((await run('mkdir none; pip install ./none')).stderr).toContain('does not appear to be a Python project');
	});

	it('makes environments that can be activated, and serves files', async () => {
		const { stdout } = await run(
			'python3 -m venv .venv && cat .venv/.gitignore && source .venv/bin/activate && which python | grep -o .venv.*; python -c "print(6 * 7)"; deactivate; which python3'
		);
		expect(stdout).toBe('*\n.venv/bin/python\n42\n/usr/bin/python3\n');
		const served = await run(
			'mkdir -p www/in && echo hello > www/in/a.txt; python3 -m http.server 8123 -d www > log 2>&1 & until grep -q Serving log 2> /dev/null; do sleep 0.05; done; curl -s localhost:8123/in/a.txt; curl -s localhost:8123/ | grep "href"; curl -so /dev/null -w "%{http_code}\n" localhost:8123/../nothing; kill %1; wait; grep -c GET log'
		);
		expect(served.stdout).toBe('hello\n<li><a href="in/">in/</a></li>\n404\n3\n');
	});

	it('is an interactive prompt in a terminal: blocks, Ctrl-C at the prompt and in a loop, Ctrl-D', async () => {
		const terminal = await sandbox.openTerminal({ columns: 80, rows: 24 });
		let screen = '';
		terminal.onData((data) => (screen += data));
		const type = async (keys: string, shown: RegExp) => {
			screen = '';
			terminal.write(keys);
			// Without cursor movements: the line is edited, and redrawn with each key.
			const seen = () => screen.replace(/\x1b\[\d*[AC]|\x1b\[J|\r(?!\n)/g, '');
			await expect.poll(seen).toMatch(shown);
		};
		await type('python3 -q\r', />>> $/);
		await type('for i in range(3):\r', /\.\.\. $/);
		await type('    print("ab" * i)\r', /\.\.\. $/);
		await type('\r', /\nab\r\nabab\r\n[^]*>>> $/);
		await type('left = 1\x03', /left = 1\s+KeyboardInterrupt\s[^]*>>> $/);
		await type('while True: pass\r\r', /pass.*\r\n/);
		await type('\x03', /KeyboardInterrupt\s[^]*>>> $/);
		await type('input("who? ") + "!"\r', /who\? $/);
		await type('me\r', /'me!'\s[^]*>>> $/);
		await type('1\r', /1\s[^]*>>> $/);
		await type('\x1b[A\x1b[D4\x05 + 1\r', /\n42\s[^]*>>> $/);
		await type('str.upp\t', /str\.upper\(/);
		await type('"ab")\r', /'AB'\s[^]*>>> $/);
		await type('import getpass; getpass.getpass()\r', /Password: $/);
		await type('hidden\r', /^\s*'hidden'\s[^]*>>> $/);
		await type('\x04', /\x1b\[\?2004h/);
		await type('exit\r', /exit/);
		expect(await terminal.exited).toBe(0);
	});
});

const EACH = `
import contextlib, io, json, subprocess, sys
from _sandglass import main
results = []
for code in json.load(open('lines.json')):
    out, err, exit_code = io.StringIO(), io.StringIO(), 0
    sys.argv = ['-c']
    sys.modules['__main__'].__dict__.pop('f', None)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main.run_source(code + '\\n', '<string>')
        except SystemExit as end:
            exit_code = main.exit_code(end)
        except BaseException as error:
            exit_code = main.uncaught(error)
    results.append({'stdout': out.getvalue(), 'stderr': err.getvalue(), 'exitCode': exit_code})
print(json.dumps(results))
`;

const INTERRUPT = `
import signal, subprocess
child = subprocess.Popen(['python3', 'patient.py'], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
print(child.stdout.readline(), end='')
child.send_signal(signal.SIGINT)
print(child.communicate()[0], end='')
print(child.returncode)
`;

const PYTEST = `
import pytest

@pytest.mark.parametrize('a,b', [(1, 2), (2, 3), pytest.param(3, 4, id='three')])
def test_next(a, b):
    assert a + 1 == b

def test_wrong():
    print('seen')
    assert [1, 2] == [1, 3]

def test_raises(ten, tmp_path, monkeypatch, capsys):
    (tmp_path / 'f').write_text('x')
    with pytest.raises(ValueError, match='bad'):
        raise ValueError('bad one')
    monkeypatch.setenv('A', '1')
    print('said')
    assert capsys.readouterr().out == 'said\\n' and ten == 10

@pytest.mark.skip(reason='later')
def test_later():
    assert False

class TestThings:
    @pytest.fixture
    def two(self):
        return 2
    def test_approx(self, two):
        assert 0.1 + 0.2 == pytest.approx(0.3)
    def test_two(self, two):
        assert two == 2
`;

const EXAMPLES = `def add(a, b):
    """Adds.

    >>> add(2, 3)
    5
    >>> add(2, 2)
    5
    """
    return a + b


def plain():
    """
    >>> plain()
    """
`;
const PYPROJECT = `[tool.pytest.ini_options]
addopts = "-ra --doctest-modules"
testpaths = ["src", "tests"]
pythonpath = ["src"]
`;

const UNITTEST = `
import unittest
class T(unittest.TestCase):
    def test_a(self): self.assertEqual(1, 1)
    def test_b(self): self.assertEqual(1, 2)
`;

const SQLITE = [
	'1|x',
	'2|',
	'a|b',
	'1|x',
	'a,b\r',
	'1,x\r',
	'2,\r',
	'[{"a":1,"b":"x"},',
	'{"a":2,"b":null}]',
	'a  b',
	'-  -',
	'1  x',
	'2',
	't',
	'CREATE TABLE t(a integer, b text);',
	'b',
	'NIL',
	'1.0|1e100|count(*)',
	'1.0|1.0e+100|2',
	'PRAGMA foreign_keys=OFF;',
	'BEGIN TRANSACTION;',
	'CREATE TABLE t(a integer, b text);',
	`INSERT INTO "t" VALUES(1,'x');`,
	'INSERT INTO "t" VALUES(2,NULL);',
	'COMMIT;',
	''
].join('\n');

const WHEEL = `
import base64, hashlib, zipfile
files = {'tiny/__init__.py': b'x = 41\\n', 'tiny-1.0.dist-info/METADATA': b'Metadata-Version: 2.1\\nName: tiny\\nVersion: 1.0\\n', 'tiny-1.0.dist-info/WHEEL': b'Wheel-Version: 1.0\\n'}
record = ''.join(f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}\\n" for name, data in files.items())
for tag in ('py3-none-any', 'cp314-cp314-manylinux_2_17_x86_64'):
    with zipfile.ZipFile(f'tiny-1.0-{tag}.whl', 'w') as z:
        for name, data in files.items(): z.writestr(name, data)
        if tag[0] == 'c': z.writestr('tiny/fast.cpython-314-x86_64-linux-gnu.so', b'\\x7fELF')
        z.writestr('tiny-1.0.dist-info/RECORD', record + 'tiny-1.0.dist-info/RECORD,,\\n')
`;

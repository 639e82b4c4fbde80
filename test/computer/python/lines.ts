/** Typical lines of Python with their output. The expectations are CPython's. */
export const lines: { code: string; stdout: string; stderr?: RegExp; exitCode?: number }[] = [
	{ code: 'print(1 + 1)', stdout: '2\n' },
	{ code: 'print("é", len("日本"))', stdout: 'é 2\n' },
	{ code: 'print(2**100)', stdout: '1267650600228229401496703205376\n' },
	{ code: 'print(sorted({3,1,2}), {"a": 1} | {"b": 2})', stdout: "[1, 2, 3] {'a': 1, 'b': 2}\n" },
	{ code: 'print(f"{3.14159:.2f} {42:>6} {255:#x}")', stdout: '3.14     42 0xff\n' },
	{ code: 'import json; print(json.dumps({"a": [1, None, True]}))', stdout: '{"a": [1, null, true]}\n' },
	{ code: 'import re; print(re.findall(r"\\d+", "a1b22"))', stdout: "['1', '22']\n" },
	{ code: 'import math; print(math.isqrt(99), math.pi)', stdout: '9 3.141592653589793\n' },
	{ code: 'from collections import Counter; print(Counter("aab").most_common(1))', stdout: "[('a', 2)]\n" },
	{ code: 'import itertools; print(list(itertools.pairwise([1,2,3])))', stdout: '[(1, 2), (2, 3)]\n' },
	{ code: 'from datetime import date; print(date(2026, 2, 28).isoformat())', stdout: '2026-02-28\n' },
	{ code: 'import hashlib; print(hashlib.sha256(b"a").hexdigest()[:8])', stdout: 'ca978112\n' },
	{ code: 'import base64; print(base64.b64encode(b"hi").decode())', stdout: 'aGk=\n' },
	{ code: 'from decimal import Decimal; print(Decimal("0.1") + Decimal("0.2"))', stdout: '0.3\n' },
	{ code: 'from fractions import Fraction; print(Fraction(1, 3) * 3)', stdout: '1\n' },
	{ code: 'import zlib; print(len(zlib.compress(b"a" * 1000)) < 30)', stdout: 'True\n' },
	{ code: 'import csv, io; print(next(csv.reader(io.StringIO("a,\\"b,c\\""))))', stdout: "['a', 'b,c']\n" },
	{ code: 'import random; random.seed(1); print(random.randint(1, 100))', stdout: '18\n' },
	{ code: 'import sys; print(sys.argv)', stdout: "['-c']\n" },
	{ code: 'import sys; sys.exit(3)', stdout: '', exitCode: 3 },
	{ code: 'import sys; sys.exit("no")', stdout: '', stderr: /^no\n$/, exitCode: 1 },
	{ code: '1/0', stdout: '', stderr: /Traceback[^]*ZeroDivisionError: division by zero\n$/, exitCode: 1 },
	{ code: 'import nowhere', stdout: '', stderr: /ModuleNotFoundError: No module named 'nowhere'\n$/, exitCode: 1 },
	{ code: 'def f(:', stdout: '', stderr: /SyntaxError: invalid syntax\n$/, exitCode: 1 },
	{ code: 'raise SystemExit', stdout: '' },
	{ code: 'import os; print(os.path.join("a", "b"), os.sep)', stdout: 'a/b /\n' },
	{ code: 'import os; os.environ["X"] = "1"; print(os.getenv("X"))', stdout: '1\n' },
	{
		code: 'import pathlib; p = pathlib.Path("t.txt"); p.write_text("x\\n" * 3); print(p.read_text().count("x"), p.stat().st_size)',
		stdout: '3 6\n'
	},
	{
		code: 'import os, shutil; os.makedirs("m/n"); os.symlink("n", "m/l"); print(sorted(os.listdir("m")), os.readlink("m/l")); shutil.rmtree("m"); print(os.path.exists("m"))',
		stdout: "['l', 'n'] n\nFalse\n"
	},
	{
		code: 'import tempfile\nwith tempfile.TemporaryFile() as f:\n f.write(b"abc"); f.seek(1); print(f.read())',
		stdout: "b'bc'\n"
	},
	{
		code: 'f = open("r.txt", "w+"); f.write("hello"); f.seek(1); f.truncate(3); print(f.read()); f.close()',
		stdout: 'el\n'
	},
	{
		code: 'import sqlite3; c = sqlite3.connect("one.db"); c.execute("create table if not exists t(a)"); c.executemany("insert into t values(?)", [(i,) for i in range(100)]); c.commit(); print(c.execute("select sum(a) from t").fetchone())',
		stdout: '(4950,)\n'
	},
	{
		code: 'import sqlite3; c = sqlite3.connect(":memory:"); c.row_factory = sqlite3.Row; print(dict(c.execute("select 1 as a, null as b, x\'00\' as c").fetchone()))',
		stdout: "{'a': 1, 'b': None, 'c': b'\\x00'}\n"
	},
	{
		code: 'import subprocess; r = subprocess.run(["bash", "-c", "echo out; echo err >&2; exit 3"], capture_output=True, text=True); print(r.returncode, repr(r.stdout), repr(r.stderr))',
		stdout: "3 'out\\n' 'err\\n'\n"
	},
	{
		code: 'import subprocess; print(subprocess.check_output("echo a | tr a b", shell=True))',
		stdout: "b'b\\n'\n"
	},
	{
		code: 'import subprocess; p = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True); print(p.communicate("in")[0], p.returncode)',
		stdout: 'in 0\n'
	},
	{
		code: 'import subprocess\ntry: subprocess.run(["no-such-command"])\nexcept FileNotFoundError as e: print(e.filename)',
		stdout: 'no-such-command\n'
	},
	{
		code: 'import subprocess, tempfile\nwith tempfile.TemporaryFile() as i, tempfile.TemporaryFile() as o:\n i.write(b"skip b\\na\\n"); i.seek(5); o.write(b"first\\n"); o.flush()\n print(subprocess.run(["sort"], stdin=i, stdout=o).returncode); o.seek(0); print(o.read())',
		stdout: "0\nb'first\\na\\nb\\n'\n"
	},
	{
		code: 'import subprocess; P = subprocess.Popen; a = P(["echo", "abc"], stdout=-1); b = P(["tr", "a", "x"], stdin=a.stdout, stdout=-1, text=True); a.stdout.close(); print(b.communicate(), a.wait())',
		stdout: "('xbc\\n', None) 0\n"
	},
	{
		code: 'import os, subprocess; r, w = os.pipe(); subprocess.run(["echo", "piped"], stdout=w); print(os.read(r, 9)); os.write(w, b"given"); os.close(w); print(subprocess.run(["cat"], stdin=r, stdout=-1).stdout); os.close(r)',
		stdout: "b'piped\\n'\nb'given'\n"
	},
	{
		code: 'import subprocess\nwith open("named.txt", "w+") as f:\n f.write("first\\n"); f.flush(); print(subprocess.run(["sh", "-c", "cat; echo $0", "last"], stdin=subprocess.DEVNULL, stdout=f).returncode)\n print(open("named.txt").read())\nwith open("named.txt") as f: print(subprocess.run(["wc", "-l"], stdin=f, stdout=-1, text=True).stdout.strip())',
		stdout: '0\nfirst\nlast\n\n2\n'
	},
	{
		code: 'import os; os.mkfifo("fifo", 0o600); print(oct(os.stat("fifo").st_mode)); os.unlink("fifo")',
		stdout: '0o10600\n'
	},
	{ code: 'import os; print(os.system("exit 2") >> 8)', stdout: '2\n' },
	{
		code: 'import asyncio\nasync def f(i):\n await asyncio.sleep(0.01); return i\nasync def m(): print(await asyncio.gather(f(1), f(2)))\nasyncio.run(m())',
		stdout: '[1, 2]\n'
	},
	{
		code: 'import signal, os\nsignal.signal(signal.SIGINT, lambda *a: print("caught"))\nos.kill(os.getpid(), signal.SIGINT)',
		stdout: 'caught\n'
	},
	{
		code: 'import time; t = time.monotonic(); time.sleep(0.05); print(time.monotonic() - t >= 0.05)',
		stdout: 'True\n'
	},
	{ code: 'import dataclasses as d\n@d.dataclass\nclass P: x: int = 1\nprint(P())', stdout: 'P(x=1)\n' },
	{
		code: 'import threading, time\nseen = []\ndef work(n):\n for i in range(3): seen.append(n * 10 + i); time.sleep(0.01 * n)\nts = [threading.Thread(target=work, args=(n,)) for n in (1, 2)]\n[t.start() for t in ts]; [t.join() for t in ts]; print(sorted(seen), seen != sorted(seen))',
		stdout: '[10, 11, 12, 20, 21, 22] True\n'
	},
	{
		code: 'import subprocess\nfrom concurrent.futures import ThreadPoolExecutor\ndef run(n): return subprocess.run(["echo", str(n)], stdout=-1, text=True).stdout.strip()\nwith ThreadPoolExecutor(4) as pool: print(list(pool.map(run, range(5))))',
		stdout: "['0', '1', '2', '3', '4']\n"
	},
	{
		code: 'import queue, threading\nq = queue.Queue(2)\ndef give():\n for n in (1, 2, 3, 4, None): q.put(n)\nthreading.Thread(target=give, name="giver").start()\nwhile (n := q.get()) is not None: print(n, end=" ")',
		stdout: '1 2 3 4 '
	},
	{
		code: 'import threading\nhere = threading.local(); here.n = 1\ndef look(): print(hasattr(here, "n"), threading.current_thread().name, threading.get_ident() != threading.main_thread().ident)\nt = threading.Thread(target=look, name="other"); t.start(); t.join(); print(here.n, threading.active_count())',
		stdout: 'False other True\n1 1\n'
	},
	{
		code: 'import threading\ndef fail(): raise ValueError("bad")\nt = threading.Thread(target=fail); t.start(); t.join(); print("on")',
		stdout: 'on\n',
		stderr: /^Exception in thread Thread-\d+ \(fail\):\n(?:.*\n)+ValueError: bad\n$/
	},
	{
		code: 'import asyncio, threading\nset_here = threading.Event()\ndef wait(): return set_here.wait(5), threading.current_thread() is threading.main_thread()\nasync def give(): await asyncio.sleep(0.01); set_here.set()\nasync def both(): print(await asyncio.gather(asyncio.to_thread(wait), give()))\nasyncio.run(both())',
		stdout: '[(True, False), None]\n'
	},
	{
		code: 'import asyncio, threading\nloop = asyncio.new_event_loop(); threading.Thread(target=loop.run_forever, daemon=True).start()\nasync def name(): await asyncio.sleep(0.01); return threading.current_thread() is threading.main_thread()\nprint(asyncio.run_coroutine_threadsafe(name(), loop).result(5)); loop.call_soon_threadsafe(loop.stop)',
		stdout: 'False\n'
	},
	{
		code: 'import os, signal, threading\nsignal.signal(signal.SIGINT, signal.default_int_handler)\nthreading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()\ntry: threading.Event().wait()\nexcept KeyboardInterrupt: print("interrupted", threading.current_thread().name)',
		stdout: 'interrupted MainThread\n'
	},
	{
		code: 'import threading; lock = threading.Lock(); lock.acquire(); print(lock.acquire(timeout=0.01)); lock.acquire()',
		stdout: 'False\n',
		stderr: /deadlock: this waits for another thread, and none can run/,
		exitCode: 1
	},
	{
		code: 'import dataclasses, json, importlib, colorsys\n@dataclasses.dataclass\nclass Point: x: int\nprint(Point.__repr__.__code__.co_filename in (dataclasses.__file__, __import__("reprlib").__file__), [m.__file__.rpartition(".")[2] + m.__spec__.origin[-3:] for m in (json, importlib, colorsys)])',
		stdout: "True ['py.py', 'py.py', 'py.py']\n"
	},
	{
		// The collector visits the frames of all threads, and tracing is set in all of them.
		code: 'import threading, time\nclass Node: pass\ndef cycles():\n  for i in range(5000):\n    a, b = Node(), Node(); a.other, b.other = b, a\n    if i % 50 == 0: time.sleep(0)\nthreads = [threading.Thread(target=cycles) for _ in range(8)]\nfor thread in threads: thread.start()\nthreading.setprofile_all_threads(lambda *_: None); threading.setprofile_all_threads(None)\nfor thread in threads: thread.join()\nprint("collected")',
		stdout: 'collected\n'
	},
	{
		code: 'import socket, threading\nserver = socket.create_server(("127.0.0.1", 0))\ndef serve():\n  with server.accept()[0] as connection: connection.sendall(connection.recv(100).upper())\nthread = threading.Thread(target=serve); thread.start()\nwith socket.create_connection(server.getsockname()) as client: client.sendall(b"hello"); print(client.recv(100), client.recv(100))\nthread.join(); server.close()',
		stdout: "b'HELLO' b''\n"
	},
	{
		code: 'import select, socket\na, b = socket.socketpair(); a.setblocking(False); b.settimeout(0.01)\nfor end in (a, b):\n  try: end.recv(1)\n  except OSError as error: print(type(error).__name__)\na.send(b"x"); print([end is b for end in select.select([a, b], [], [], 1)[0]], b.recv(9), select.select([a, b], [], [], 0)[0])\na.close(); print(b.recv(1)); b.close()',
		stdout: "BlockingIOError\nTimeoutError\n[True] b'x' []\nb''\n"
	},
	{
		code: 'import asyncio\nasync def answer(reader, writer): writer.write(b"got " + await reader.readline()); await writer.drain(); writer.close()\nasync def ask():\n  async with await asyncio.start_server(answer, "localhost", 0) as server:\n    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())\n    writer.write(b"line\\n"); print(await reader.read()); writer.close()\nasyncio.run(ask())',
		stdout: "b'got line\\n'\n"
	},
	{
		code: 'import socket\nfor call in (lambda: socket.create_connection(("localhost", 1)), lambda: socket.gethostbyname("example.com"), lambda: socket.create_connection(("192.0.2.1", 25)).recv(1)):\n  try: call()\n  except OSError as error: print(type(error).__name__, str(error).partition("] ")[2].partition(":")[0].partition(",")[0])',
		stdout:
			'ConnectionRefusedError Connection refused\ngaierror example.com is not a name of this computer\nOSError 192.0.2.1 cannot be reached by this protocol\n'
	},
	{
		code: 'import threading, time\ndef used(call): before = time.process_time(); call(); return round(time.process_time() - before, 1)\ndef work():\n  end = time.perf_counter() + 0.3\n  while time.perf_counter() < end: pass\nthread = threading.Thread(target=work)\nprint(used(lambda: time.sleep(0.3)), used(work) > 0.1, used(lambda: (thread.start(), thread.join())) > 0.1)\nthread = threading.Thread(target=time.sleep, args=(0.3,))\nprint(used(lambda: (thread.start(), thread.join())))',
		stdout: '0.0 True True\n0.0\n'
	},
	{
		code: 'import multiprocessing, concurrent.futures as futures\nfor start in (multiprocessing.Process(target=print).start, lambda: multiprocessing.Pool(2), lambda: multiprocessing.get_context("spawn").Pool(1), lambda: futures.ProcessPoolExecutor(2).submit(print)):\n  try: start()\n  except OSError as error: print(error.strerror.partition(".")[0])',
		stdout: 'multiprocessing cannot start processes in the browser\n'.repeat(4)
	},
	{
		code: 'import hashlib\ndef t(f):\n    try: print(f())\n    except Exception as e: print(type(e).__name__, e)\nfor name in ("sha256","SHA-512","sha1","md5","sha3_256","sha512_256","ripemd160"):\n    t(lambda: hashlib.pbkdf2_hmac(name, b"password", b"salt", 3).hex())\nt(lambda: hashlib.pbkdf2_hmac("sha256", bytearray(b"p"), memoryview(b"s"), 1000, dklen=40).hex())\nt(lambda: hashlib.scrypt(b"pw", salt=b"s", n=2**14, r=8, p=1).hex())\nt(lambda: hashlib.scrypt(b"pw", salt=b"s", n=2**15, r=8, p=1, maxmem=64*2**20, dklen=20).hex())',
		stdout:
			'ad35240ac683febfaf3cd49d845473fbbbaa2437f5f82d5a415ae00ac76c6bfc\nb6b07cb2cebf4ad84468391a543824fccffe0e0769dbe6bddf10a65673c4b648e612d44918f9ce9a19a1294cf5140628084ba994c3b21a4ef4741220b811c633\n6b4e26125c25cf21ae35ead955f479ea2e71f6ff\nf6acd4bda3e4d3d831a5f61da9ca9d5c\n6677065466c97fdef1c15ae8d95020ca948334f53eceeafc6115ddf405f6d6a4\n9fa42ea03f8f8ac08be344def79d9c031e8f773f20a1061f5f38b37f01d32943\n9ca4d509610a8b37dcf0f67242c5dce427aba359\n07f5f5e23e40846c35c4c7bbc8244ee25ed607c7f18301e9805d16771f28797147fc869fab21bf7d\n50a5c927da5f08ac6e87b1a9c46afec9859ec76abb9adac9e5df55a019a0b9fc39f3fc964fe33782f731c369a4473ba5ae991436d22f5ebc4988d997ae2730c4\n4a6a6a0f1e94d5a75559d94d7d1528190afa0bba\n'
	},
	{
		code: 'import hashlib\ndef t(f):\n    try: print(f())\n    except Exception as e: print(type(e).__name__, e)\nt(lambda: hashlib.pbkdf2_hmac("sha256", b"p", b"s", 0))\nt(lambda: hashlib.pbkdf2_hmac("sha256", b"p", b"s", 1, 0))\nt(lambda: hashlib.pbkdf2_hmac("sha256", "p", b"s", 1))\nt(lambda: hashlib.pbkdf2_hmac(5, b"p", b"s", 1))\nt(lambda: hashlib.pbkdf2_hmac("nothing", b"p", b"s", 1))\nt(lambda: hashlib.scrypt(b"pw", salt=b"s", n=2**15, r=8, p=1))\nt(lambda: hashlib.scrypt(b"pw", salt=b"s", n=5, r=8, p=1))\nt(lambda: hashlib.scrypt(b"", salt=b"", n=2, r=1, p=1, dklen=0))\nt(lambda: hashlib.scrypt("", salt=b"", n=2, r=1, p=1))\nt(lambda: hashlib.scrypt(b"", salt=b"", n=2, r=0, p=1))',
		stdout:
			"ValueError iteration value must be greater than 0.\nValueError key length must be greater than 0.\nTypeError a bytes-like object is required, not 'str'\nTypeError pbkdf2_hmac() argument 'hash_name' must be str, not int\nValueError unsupported hash type nothing\nValueError [digital envelope routines] memory limit exceeded\nValueError n must be a power of 2.\nValueError dklen must be greater than 0 and smaller than 2147483647\nTypeError a bytes-like object is required, not 'str'\nValueError Invalid parameter combination for n, r, p, maxmem.\n"
	}
];

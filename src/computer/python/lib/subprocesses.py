"""subprocess over the sandbox's own processes."""

import errno
import io
import json
import os
import subprocess
import sys
import tempfile
import time

from _sandglass import channels, polling
from _sandglass.kernel import calls, value
from _sandglass.patches import SIGNALS, current_umask

PIPE, STDOUT, DEVNULL = subprocess.PIPE, subprocess.STDOUT, subprocess.DEVNULL


class Descriptor(io.RawIOBase):
    """One end of a pipe of the sandbox."""

    def __init__(self, number, writes):
        self.writes = writes
        self._channel = channels.Channel(number)
        self._file = self._channel.hold()

    @property
    def number(self):
        """The kernel's descriptor."""
        return self._channel.descriptor

    def fileno(self):
        return self._file

    def readable(self):
        return not self.writes

    def writable(self):
        return self.writes

    def readinto(self, into):
        try:
            data = os.read(self._file, len(into))
        except BlockingIOError:
            return None
        into[: len(data)] = data
        return len(data)

    def write(self, data):
        with memoryview(data).cast("B") as view:
            written = 0
            while written < len(view):
                try:
                    written += os.write(self._file, view[written:])
                except BlockingIOError:
                    return written or None
        return written

    def close(self):
        if not self.closed:
            super().close()
            os.close(self._file)


def described(args, shell, cwd, env, executable):
    if shell:
        argv = ["bash", "-c", args if isinstance(args, str) else args[0], *([] if isinstance(args, str) else args[1:])]
    elif isinstance(args, (str, bytes, os.PathLike)):
        argv = [os.fspath(args)]
    else:
        argv = [os.fspath(word) for word in args]
    argv = [os.fsdecode(word) for word in argv]
    if executable and not shell:
        argv[0] = os.fsdecode(executable)
    environment = os.environ if env is None else env
    directory = os.path.abspath(os.fsdecode(cwd)) if cwd is not None else os.getcwd()
    if not os.path.isdir(directory):
        raise FileNotFoundError(errno.ENOENT, "No such file or directory", directory)
    return {"argv": argv, "cwd": directory, "env": {os.fsdecode(k): os.fsdecode(v) for k, v in environment.items()}}


# Streams the process was started with, and the null device, by the interpreter's names for them.
KERNEL_STREAMS = {"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2, "/dev/null": "null"}


def in_kernel(number):
    """Kernel stream that a descriptor refers to, also after `os.dup2`; None for a file or a pipe."""
    try:
        return KERNEL_STREAMS.get(os.readlink(f"/proc/self/fd/{number}"))
    except OSError:
        return "null"


def name_of(number):
    """Path at which another process finds an open file, or None: pipes and removed files have no name."""
    try:
        path = os.readlink(f"/proc/self/fd/{number}")
        return path if os.path.samestat(os.stat(path), os.fstat(number)) else None
    except OSError:
        return None


def copy_rest(source, target):
    """Copies the rest of a descriptor; for a pipe, what it holds now."""
    try:
        while data := os.read(source, 65536):
            while data:
                data = data[os.write(target, data) :]
    except BlockingIOError:
        pass  # An empty pipe: with one thread, nothing is written meanwhile.


class Popen(subprocess.Popen):
    """Starts a command at once; its streams are pipes of the sandbox, files, or this process's own."""

    reads_one_by_one = True

    def __init__(self, args, bufsize=-1, executable=None, stdin=None, stdout=None, stderr=None, preexec_fn=None,
                 close_fds=True, shell=False, cwd=None, env=None, universal_newlines=None, startupinfo=None,
                 creationflags=0, restore_signals=True, start_new_session=False, pass_fds=(), *, user=None,
                 group=None, extra_groups=None, encoding=None, errors=None, text=None, umask=-1, pipesize=-1,
                 process_group=None):
        self.args = args
        self.returncode = None
        self.stdin = self.stdout = self.stderr = None
        self._input = None
        self._communication_started = False
        self._child_created = False
        self._waitpid_lock = None
        self.encoding, self.errors = encoding, errors
        self.text_mode = encoding or errors or text or universal_newlines
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        what = described(args, shell, cwd, env, executable)
        what["umask"] = umask if umask >= 0 else current_umask()
        if start_new_session or process_group == 0:
            what["group"] = 0
        self._late = []
        self._copies = []
        given, kept, opened = [], {}, {}

        def ours(stream, writes, name):
            if stream is None:
                stream = ("stdin", "stdout", "stderr").index(name)
            if stream == DEVNULL:
                return "null"
            if stream == PIPE:
                ends = value(calls.pipe())
                kept[name] = ends["writer"] if writes else ends["reader"]
                theirs = ends["reader"] if writes else ends["writer"]
                given.append(theirs)
                return theirs
            raw = getattr(getattr(stream, "buffer", stream), "raw", stream)
            if isinstance(raw, Descriptor):
                return raw.number
            number = stream if isinstance(stream, int) else stream.fileno()
            if not isinstance(stream, int) and not writes:
                stream.flush()
            if number in polling.OPEN:
                return polling.OPEN[number].descriptor
            known = in_kernel(number)
            if known is not None:
                return known
            file = os.fstat(number)
            key = (file.st_dev, file.st_ino, writes)
            if key not in opened:
                opened[key] = self._opened(number, writes)
                given.append(opened[key])
            return opened[key]

        try:
            both = self.reads_one_by_one and stdout == PIPE and stderr == PIPE
            streams = {"stdin": ours(stdin, True, "stdin"), "stdout": ours(stdout, False, "stdout")}
            if stderr == STDOUT:
                streams["stderr"] = streams["stdout"]
            elif both:
                # One thread cannot read two pipes at once: stderr goes through a file.
                self._late = [tempfile.mkstemp(prefix="stderr-")]
                theirs = value(calls.openFile(self._late[0][1], "write"))
                given.append(theirs)
                streams["stderr"] = theirs
            else:
                streams["stderr"] = ours(stderr, False, "stderr")
            what.update(streams)
            channels.bequeath(what, pass_fds)
            self.pid = value(calls.spawn(json.dumps(what)), what["argv"][0])
            self._child_created = True
        finally:
            for number in given:
                value(calls.close(number))
            if not self._child_created:
                for number in kept.values():
                    value(calls.close(number))
                self._give_back()
        for name, number in kept.items():
            setattr(self, name, self._stream(number, name == "stdin", bufsize))
        if self._late:
            self.stderr = self._text(LateFile(self, self._late[0]))

    def _opened(self, number, writes):
        """Kernel descriptor for a file that is open here, by its path, or for a copy if it has none."""
        path = name_of(number)
        if path is not None:
            return value(calls.openFile(path, "read" if writes else "append"), path)
        descriptor, path = tempfile.mkstemp(prefix="stream-")
        with open(descriptor, "wb") as copy:
            if writes:
                copy_rest(number, copy.fileno())
        self._copies.append((None if writes else os.dup(number), path))
        return value(calls.openFile(path, "read" if writes else "write"), path)

    def _give_back(self):
        """Copies the command's output into the files that have no path, and removes the copies."""
        while self._copies:
            target, path = self._copies.pop()
            if target is not None:
                with open(path, "rb") as copy:
                    copy_rest(copy.fileno(), target)
                os.close(target)
            os.unlink(path)

    def _stream(self, number, writes, bufsize):
        raw = Descriptor(number, writes)
        if bufsize == 0 and not self.text_mode:
            return raw
        return self._text(io.BufferedWriter(raw) if writes else io.BufferedReader(raw), bufsize == 1)

    def _text(self, stream, lines=False):
        if not self.text_mode:
            return stream
        return io.TextIOWrapper(stream, encoding=self.encoding or "utf-8", errors=self.errors, line_buffering=lines)

    def _ended(self, code):
        self.returncode = 128 - code if code > 128 and code - 128 in SIGNALS else code
        self._give_back()

    def poll(self):
        if self.returncode is None and not any(p["pid"] == self.pid for p in json.loads(value(calls.processes()))):
            self._ended(value(calls.wait(self.pid)))
        return self.returncode

    def wait(self, timeout=None):
        if self.returncode is not None:
            return self.returncode
        end = None if timeout is None else time.monotonic() + timeout
        while self.poll() is None:
            if end is not None and time.monotonic() >= end:
                raise subprocess.TimeoutExpired(self.args, timeout)
            time.sleep(0.005)
        return self.returncode

    def communicate(self, input=None, timeout=None):
        if self.stdin:
            try:
                if input:
                    self.stdin.write(input)
                self.stdin.close()
            except BrokenPipeError:
                pass  # It ended without reading.
        out = err = None
        if self.stdout:
            if timeout is None:
                out = self.stdout.read()
            else:
                self.wait(timeout)
                out = self.stdout.read()
            self.stdout.close()
        self.wait(timeout)
        if self.stderr:
            err = self.stderr.read()
            self.stderr.close()
        return out, err

    def send_signal(self, sig):
        if self.poll() is None:
            os.kill(self.pid, sig)

    def __exit__(self, *_error):
        for stream in (self.stdout, self.stderr, self.stdin):
            if stream:
                stream.close()
        self.wait()

    def __del__(self, *_rest):
        pass


class Concurrent(Popen):
    """A command whose stdout and stderr are read concurrently."""

    reads_one_by_one = False


class LateFile(io.BufferedReader):
    """File that a command writes; reading waits until the command ends."""

    def __init__(self, child, made):
        descriptor, self.path = made
        super().__init__(io.FileIO(descriptor, "rb"))
        self.child = child

    def read(self, *size):
        self.child.wait()
        return super().read(*size)

    def readline(self, *size):
        self.child.wait()
        return super().readline(*size)

    def close(self):
        if not self.closed:
            super().close()
            os.unlink(self.path)


def run(*popenargs, input=None, capture_output=False, timeout=None, check=False, **kwargs):
    """Works as subprocess.run; a command with captured output is one kernel call."""
    if capture_output:
        if kwargs.get("stdout") is not None or kwargs.get("stderr") is not None:
            raise ValueError("stdout and stderr arguments may not be used with capture_output.")
        kwargs["stdout"] = kwargs["stderr"] = PIPE
    simple = {"shell", "cwd", "env", "stdout", "stderr", "text", "universal_newlines", "encoding", "errors", "stdin", "executable"}
    if kwargs.get("stdout") == PIPE and kwargs.get("stderr") == PIPE and len(popenargs) == 1 and set(kwargs) <= simple and kwargs.get("stdin") in (None, DEVNULL) and in_kernel(0) is not None:
        done = captured(popenargs[0], input, timeout, kwargs)
        if check and done.returncode:
            raise subprocess.CalledProcessError(done.returncode, done.args, done.stdout, done.stderr)
        return done
    return plain(*popenargs, input=input, timeout=timeout, check=check, **kwargs)


def captured(args, input, timeout, options):
    from pyodide.ffi import to_js

    what = described(args, options.get("shell"), options.get("cwd"), options.get("env"), options.get("executable"))
    encoding = options.get("encoding") or "utf-8"
    errors = options.get("errors") or "strict"
    text = options.get("text") or options.get("universal_newlines") or options.get("encoding") or options.get("errors")
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    if input is None:
        what["stdin"] = "null" if options.get("stdin") == DEVNULL else in_kernel(0)
    data = None if input is None else to_js(input.encode(encoding, errors) if isinstance(input, str) else bytes(input))
    milliseconds = None if timeout is None else max(1, timeout * 1000)
    done = value(calls.run(json.dumps(what), data, milliseconds), what["argv"][0])
    out, err = (bytes(done[name]) for name in ("stdout", "stderr"))
    if text:
        out, err = (part.decode(encoding, errors).replace("\r\n", "\n") for part in (out, err))
    if done["timedOut"]:
        raise subprocess.TimeoutExpired(args, timeout, output=out, stderr=err)
    code = done["code"]
    if done["signal"]:
        code = 128 - code
    return subprocess.CompletedProcess(args, code, out, err)


plain = subprocess.run


def install():
    global plain
    plain = subprocess.run
    subprocess._can_fork_exec = True
    subprocess.Popen = Popen
    subprocess.run = run

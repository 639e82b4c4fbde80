"""asyncio without a browser's event loop: timers, callbacks and sockets, run until they are done."""

import asyncio
import selectors
import signal
import threading
from asyncio import base_subprocess, unix_events

from _sandglass import polling, threads


class Selector(selectors.PollSelector):
    """Waits for sockets, the next timer, or another thread."""

    class _selector_cls(polling.Poll):
        def __init__(self):
            super().__init__()
            self.waiters = threads.Waiters()
            self.is_woken = False

        def poll(self, timeout=None):
            if timeout is None and threads.Turn.others == 0 and not self._masks:
                raise RuntimeError("Everything waits for something that cannot happen.")
            if timeout == 0:
                threads.give_way()
            found = self.wait(None if timeout is None else timeout / 1000, self.waiters, lambda: self.is_woken)
            self.is_woken = False
            return found

    def wake(self):
        self._selector.is_woken = True
        self._selector.waiters.wake()


class SubprocessTransport(base_subprocess.BaseSubprocessTransport):
    """A command whose exit a thread awaits."""

    def _start(self, args, shell, stdin, stdout, stderr, bufsize, **kwargs):
        from _sandglass.subprocesses import Concurrent

        self._proc = Concurrent(args, shell=shell, stdin=stdin, stdout=stdout, stderr=stderr, bufsize=0, **kwargs)


class Loop(unix_events._UnixSelectorEventLoop):
    def __init__(self, selector=None):
        super().__init__(selector or Selector())

    def add_signal_handler(self, sig, callback, *args):
        self._check_signal(sig)
        self._check_closed()
        handle = asyncio.Handle(callback, args, self)
        signal.signal(sig, lambda *_: self._add_callback_signalsafe(handle))
        self._signal_handlers[sig] = handle

    async def _make_subprocess_transport(self, protocol, args, shell, stdin, stdout, stderr, bufsize, extra=None, **kwargs):
        if not threads.can_start():
            raise NotImplementedError("asyncio starts no commands in this browser, which has no stack switching. Use subprocess.run.")
        waiter = self.create_future()
        transport = SubprocessTransport(self, protocol, args, shell, stdin, stdout, stderr, bufsize, waiter=waiter, extra=extra, **kwargs)
        threading.Thread(target=self._wait_for, args=(transport,), daemon=True).start()
        try:
            await waiter
        except BaseException:
            transport.close()
            raise
        return transport

    def _wait_for(self, transport):
        code = transport._proc.wait()
        if not self.is_closed():
            self.call_soon_threadsafe(transport._process_exited, code)

    def _make_self_pipe(self):
        """Does nothing: the selector is woken by a call."""

    def _close_self_pipe(self):
        pass

    def _write_to_self(self):
        if isinstance(self._selector, Selector):
            self._selector.wake()

    async def run_in_executor_now(self, function, *args):
        return function(*args)

    def run_in_executor(self, executor, func, *args):
        if threads.can_start():
            return super().run_in_executor(executor, func, *args)
        # With one thread, the function runs at once.
        return self.create_task(self.run_in_executor_now(func, *args))


class Policy(asyncio.events._BaseDefaultEventLoopPolicy):
    _loop_factory = Loop


def install():
    asyncio.events._set_running_loop(None)
    asyncio.events._event_loop_policy = Policy()
    asyncio.run = asyncio.runners.run
    asyncio.DefaultEventLoopPolicy = Policy
    asyncio.SelectorEventLoop = asyncio.EventLoop = Loop

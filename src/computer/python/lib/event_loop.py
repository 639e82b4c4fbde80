"""asyncio without a browser's event loop: timers, callbacks and sockets, run until they are done."""

import asyncio
import selectors
from asyncio import selector_events

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
            if self._masks:
                found = self.wait(None if timeout is None else timeout / 1000, self.waiters, lambda: self.is_woken)
            else:
                found = []
                if timeout is None or timeout > 0:
                    self.waiters.wait(lambda: self.is_woken, None if timeout is None else timeout / 1000)
                else:
                    threads.give_way()
            self.is_woken = False
            return found

    def wake(self):
        self._selector.is_woken = True
        self._selector.waiters.wake()


class Loop(selector_events.BaseSelectorEventLoop):
    def __init__(self, selector=None):
        super().__init__(selector or Selector())

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

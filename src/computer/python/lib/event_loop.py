"""asyncio without a browser's event loop: timers and callbacks, run until they are done."""

import asyncio

from _sandglass import threads


class Waiting:
    """Stands where a selector would: it waits for the next timer, or for another thread."""

    def __init__(self):
        self._waiters = threads.Waiters()
        self._is_woken = False

    def select(self, timeout):
        if timeout is None and threads.Turn.others == 0:
            raise RuntimeError("Everything waits for something that cannot happen: there are no sockets here.")
        if timeout is None or timeout > 0:
            self._waiters.wait(lambda: self._is_woken, timeout)
        else:
            threads.give_way()
        self._is_woken = False
        return []

    def wake(self):
        self._is_woken = True
        self._waiters.wake()

    def close(self):
        pass


class Loop(asyncio.BaseEventLoop):
    def __init__(self):
        super().__init__()
        self._selector = Waiting()

    def _process_events(self, events):
        pass

    def _write_to_self(self):
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

"""Answers of the writer's thread to tasks that are cancelled while they wait."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from django.db import OperationalError

from games.log.batches import Lasting


def test_a_time_limit_ends_a_wait_only_after_its_answer_and_leaves_nothing_behind() -> None:
    async def scenario() -> None:
        answer = Lasting[bool]()

        async def wait() -> None:
            async with asyncio.timeout(0):
                await answer

        waiting = asyncio.create_task(wait())
        for _ in range(3):
            await asyncio.sleep(0)
        assert waiting.cancelling()
        assert not waiting.done()
        answer.set_result(True)
        with pytest.raises(TimeoutError):
            await waiting
        assert waiting.cancelling() == 0

    asyncio.run(scenario())


def test_an_error_that_a_cancelled_task_was_told_is_not_reported_as_unheard() -> None:
    reported: list[Any] = []

    async def scenario() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, about: reported.append(about))
        answer = Lasting[bool]()

        async def wait() -> bool:
            return await answer

        waiting = asyncio.create_task(wait())
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.sleep(0)
        assert not waiting.done()
        answer.set_exception(OperationalError("away"))
        with pytest.raises(asyncio.CancelledError):
            await waiting

    asyncio.run(scenario())
    assert reported == []


def test_a_group_of_waits_is_cancelled_after_all_answers() -> None:
    async def scenario() -> None:
        answers = [Lasting[int]() for _ in range(2)]

        async def wait() -> list[int]:
            return await asyncio.gather(*answers)

        waiting = asyncio.create_task(wait())
        for answer in answers:
            await asyncio.sleep(0)
            waiting.cancel()
            await asyncio.sleep(0)
            assert not waiting.done()
            answer.set_result(1)
        with pytest.raises(asyncio.CancelledError):
            await waiting

    asyncio.run(scenario())

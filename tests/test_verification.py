"""The slow checks of :mod:`verification` as tests (``make verification``)."""

from __future__ import annotations

import pytest
import verification
from click.testing import CliRunner
from verification import Check, Verdict

CHECKS = verification.checks()
assert len(CHECKS) <= verification.NUMBER_OF_CHECKS  # else their false alarms add up to more than they say


@pytest.mark.verification
@pytest.mark.parametrize("check", CHECKS, ids=[check.name for check in CHECKS])
def test_check(check: Check) -> None:
    verdict = check.run()
    print(f"\n{check.name} ({check.about}): {verdict}")
    assert verdict.passed


def test_checks_can_fail() -> None:
    """A die that shows its six a thousandth too often is seen in a billion trials, and one fair die is not."""
    fair = verification.judged(lambda: [(round(1e9 / 6), 10**9, 1 / 6)])
    loaded = verification.judged(lambda: [(round(1.001e9 / 6), 10**9, 1 / 6)])
    assert (fair.passed, loaded.passed) == (True, False)
    assert not Verdict(1, 0, 0, 11, 0).passed


def test_command_for_maintainers() -> None:
    """It lists the checks, runs those that are named, and refuses a name that is none."""
    command = CliRunner()
    listed = command.invoke(verification.main, ["--list"])
    assert (listed.exit_code, len(listed.output.splitlines())) == (0, len(CHECKS))
    ran = command.invoke(verification.main, ["totals at +1 "])
    assert "totals at +1 dice" in ran.output
    assert ran.output.endswith("1 passed, 0 failed\n")
    wrong = command.invoke(verification.main, ["nonsense"])
    assert (wrong.exit_code, "no check is called nonsense" in wrong.output) == (2, True)


def test_memory_does_not_grow_with_trials() -> None:
    """Less than 10 MB between 1e6 and 5e7 trials, so less than 2 bits a trial; 1e9 in the slow test below."""
    assert abs(verification.memory_of(5 * 10**7) - verification.memory_of(10**6)) < 10


@pytest.mark.verification
def test_memory_does_not_grow_up_to_a_billion_trials() -> None:
    assert abs(verification.memory_of(10**9) - verification.memory_of(10**6)) < 10

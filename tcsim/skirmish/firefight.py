"""A firefight answered: each way of choosing targets, exact where it can be, rolled where it is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tcsim.skirmish import fixed
from tcsim.skirmish.field import Field, ready
from tcsim.skirmish.joint import MAX_JOINT, Joint, Plan, follow, greedy, optimal
from tcsim.skirmish.model import TARGETINGS
from tcsim.skirmish.outcome import Outcome
from tcsim.skirmish.read import read_firefight

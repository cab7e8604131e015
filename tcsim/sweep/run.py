"""A sweep: begun in its folder, run from there or from where it stopped, and looked at."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from tcsim.base.errors import InputError
from tcsim.scenario.model import Scenario
from tcsim.sweep import look
from tcsim.sweep.answers import Counted, How
from tcsim.sweep.folder import MANIFEST, PARTS, RECORDS, Folder, files_of, newest
from tcsim.sweep.given import copied, file_given
from tcsim.sweep.manifest import written_manifest
from tcsim.sweep.prepare import maker_of, new_manifest, unchanged
from tcsim.sweep.table import read_columns
from tcsim.sweep.workers import Workers, here, processes

if TYPE_CHECKING:
    import pandas as pd

#: Told after each part: how many scenarios were done, and how many of them failed.
Progress = Callable[[int, int], None]


class Done(NamedTuple):
    """What a run did: scenarios that were answered and that failed, in all; parts made now; seconds; all the parts."""

    rows: int
    failed: int
    made: int
    seconds: float
    parts: int


@dataclass
class Sweep:
    """A sweep in its folder: what is asked, the parts that are there, and those that are not yet.

    :func:`tcsim.new_sweep` begins one, :func:`tcsim.open_sweep` finds one that has begun.

    Parameters
    ----------
    folder : Folder
        Where it is.
    manifest : dict
        What it is.

    Examples
    --------
    >>> import tcsim
    >>> grid = {"scenario": {"target": {}, "attacks": [{}]}, "product": {"target.blood": [0, 3, 6]}}
    >>> sweep = tcsim.new_sweep(grid, "results")
    >>> sweep.run().rows
    3
    >>> sweep.frame()["p_out"].round(4).tolist()
    [0.1689, 0.1689, 0.1689]
    """

    folder: Folder
    manifest: dict[str, Any]

    def run(
        self,
        threads: int | None = None,
        workers: int | None = None,
        scheduler: str | None = None,
        progress: Progress | None = None,
    ) -> Done:
        """Make the parts that are not there yet: all of a new sweep, the rest of one that was stopped.

        Parameters
        ----------
        threads : int, optional
            Dice are rolled in so many threads, by default one for each processor. An exact sweep is answered in so many
            processes, by default in this one; with more, a script must call it under ``if __name__ == "__main__":``.
        workers : int, optional
            In so many processes of a Dask cluster here; with ``scheduler``, so many are waited for.
        scheduler : str, optional
            On the Dask cluster with this address, as ``tcp://HOST:8786``.
        progress : callable, optional
            Called after each part with how many more scenarios are done, and how many of these failed.

        Returns
        -------
        Done
            What was done. The parts are the same, byte for byte, wherever they were made.

        Raises
        ------
        InputError
            When its input, a catalogue or tcsim has changed since it began, another run is at work on it, or something
            cannot be written.
        """
        begun = time.monotonic()
        made: list[int] = []
        parts, length = self.manifest["parts"], self.manifest["part_rows"]
        with self.folder.locked():
            if self.folder.manifest() != self.manifest:
                raise InputError(f"another sweep has begun in {self.folder.name}; open it anew")
            missing = {number for number, name in enumerate(parts) if not self._is_there(number, name)}
            if missing:
                maker = maker_of(self.folder, self.manifest, threads)
                pieces = (
                    (number, (piece, self._before(number)))
                    for number, piece in enumerate(maker.source.pieces(length))
                    if number in missing
                )
                make = self._workers(len(missing), threads, workers, scheduler)
                with closing(make(maker, pieces)) as results:
                    for number, part in results:
                        self.folder.save(number, parts[number], part)
                        made.append(number)
                        if progress is not None:
                            progress(part.rows + part.failed, part.failed)
                self._look_back(made)
            failed = self.folder.gather_errors(list(self.folder.marks(parts).values()))
        return Done(self.manifest["scenarios"] - failed, failed, len(made), time.monotonic() - begun, len(parts))

    def _is_there(self, number: int, name: str) -> bool:
        """Whether a part is there, after a look at whether it is as it was written."""
        return self.folder.has(name) and bool(self.folder.content(number, name))

    def _look_back(self, made: list[int]) -> None:
        """Take back what was made now, if the input was changed meanwhile."""
        try:
            unchanged(self.folder, self.manifest)
        except InputError as error:
            for number in made:
                (self.folder.path / self.manifest["parts"][number]).unlink()
            raise InputError(f"{error}; the parts made now are taken back") from None

    def _workers(self, parts: int, threads: int | None, workers: int | None, scheduler: str | None) -> Workers:
        """What makes so many parts."""
        if workers is not None or scheduler is not None:
            from tcsim.sweep.cluster import on_cluster

            return on_cluster(scheduler, workers)
        number = min(threads or 1, parts) if self.manifest["how"]["method"] == "exact" else 1
        return processes(number) if number > 1 else here

    def _before(self, number: int) -> list[Counted] | None:
        """What the generation before this one counted in a part; None for the first."""
        if "generation" not in self.manifest:
            return None
        folder, name = Folder(self.folder.path / ".." / self.manifest["previous"]), self.manifest["parts"][number]
        content = folder.content(number, name)
        return [Counted(*row) for row in read_columns(content, name, ("trials", "count", "count_down", "sum_blood"))]

    def errors(self) -> list[dict[str, Any]]:
        """Tell what is wrong with scenarios that cannot be answered.

        Returns
        -------
        list of dict
            ``id``, ``row`` (of a grid, from 0) or ``line`` (of a file, from 1), and ``error``, as far as it has run.
        """
        return [json.loads(line) for line in self.folder.errors(self.manifest["parts"])]

    def more(self, trials: int) -> Sweep:
        """Begin further trials of a finished sweep of dice; its parts stay, new ones will tell all trials.

        Parameters
        ----------
        trials : int
            How many more for each scenario.

        Returns
        -------
        Sweep
            The next generation, in the folder ``gen-1`` of the sweep or the one after the last; to be run.

        Raises
        ------
        InputError
            When the sweep is exact, is not finished, or its input has changed.
        """
        if self.manifest["how"]["method"] == "exact":
            raise InputError("the sweep is exact, so that more trials have nothing to add to it", "--trials")
        How.of(trials, None, self.manifest["how"]["seed"])
        look.finished(self.folder, self.manifest)
        generation = self.manifest.get("generation", 0) + 1
        told = dict(self.manifest["input"])
        if told["copied"] and generation == 1:
            told["name"] = f"../{told['name']}"
        previous = "." if generation == 1 else f"gen-{generation - 1}"
        how = self.manifest["how"] | {"trials": trials, "precision": None}
        manifest = self.manifest | {"input": told, "how": how, "generation": generation, "previous": previous}
        root = self.folder.path if generation == 1 else self.folder.path.parent
        made = Sweep(Folder(root / f"gen-{generation}"), manifest)
        with self.folder.locked():
            made.folder.look(force=False)
            made._begin()
        return made

    def _begin(self) -> None:
        """Put the manifest of a new sweep into its folder, before anything is answered."""
        for part in (PARTS, RECORDS):
            (self.folder.path / part).mkdir(exist_ok=True)
        if self.manifest["input"]["copied"] and "generation" not in self.manifest:
            self.folder.named(self.manifest["input"]["kind"])
        self.folder.write(MANIFEST, [written_manifest(self.manifest)])

    def status(self) -> look.Status:
        """Say how far it is.

        Returns
        -------
        Status
            ``scenarios``, ``done``, ``failed``, ``parts``, ``finished`` (parts), ``is_finished``.
        """
        return look.status(self.folder, self.manifest)

    def frame(self, columns: Iterable[str] | None = None) -> pd.DataFrame:
        """Give its results, as far as they are there.

        Parameters
        ----------
        columns : iterable of str, optional
            Only these.

        Returns
        -------
        DataFrame
            A row for each scenario that was answered, in order, with everything it says, ``p_out`` and ``p_down``
            (probabilities in [0, 1]) and the other columns that docs/sweeps.md lists. Kinds of columns do not depend on
            what is in them: Int64, Float64, boolean and text, each of which knows what is missing.

        Raises
        ------
        InputError
            When nothing is finished, or there is no such column.
        """
        return look.frame(self.folder, self.manifest, columns)

    def query(self, sql: str) -> pd.DataFrame:
        """Ask its results in SQL, through DuckDB.

        Parameters
        ----------
        sql : str
            One query; what is finished is the table ``results``.

        Returns
        -------
        DataFrame
            The answer.

        Raises
        ------
        InputError
            When DuckDB is not installed, nothing is finished, or the query is wrong.
        """
        import pandas as pd

        names, rows = look.query(self.folder, self.manifest, sql)
        return pd.DataFrame(rows, columns=names)

    def merge(self, to: str | PathLike[str], force: bool = False) -> Path:
        """Write all parts, when it is finished, as one file.

        Parameters
        ----------
        to : str
            The file, of the same kind as the parts; how its name ends may be left out.
        force : bool, optional
            Write over a file that is there.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        InputError
            When it is not finished, the file is there, or it cannot be written.
        """
        return look.merge(self.folder, self.manifest, str(to), force)


def new_sweep(
    given: str | PathLike[str] | Mapping[str, Any] | Iterable[Mapping[str, Any] | Scenario] | BinaryIO,
    out: str | PathLike[str],
    trials: int | None = None,
    precision: float | None = None,
    seed: int = 1,
    catalog: str | Iterable[str] = (),
    part_rows: int | None = None,
    force: bool = False,
) -> Sweep:
    """Begin a sweep: write into its folder what is asked, so that it can be run, and run on after whatever happens.

    Parameters
    ----------
    given : path, mapping, or iterable of mapping or Scenario
        A grid, as a file or as the table that is in one; or scenarios, as a file (``.jsonl``, ``.csv``, ``.parquet``)
        or one after the other. See docs/sweeps.md. What is no file is copied into the folder, as are the JSON lines of
        a binary stream.
    out : path
        Folder of the results.
    trials : int, optional
        Roll the dice of each scenario so many times; without it and ``precision`` it is answered exactly.
    precision : float, optional
        Roll until the 95% interval of P(out of action) is so far to either side.
    seed : int, optional
        0 to 2**64 - 1. The dice of a scenario come from it and from what is asked; other scenarios change nothing.
    catalog : path or iterable of paths, optional
        Files that change the catalogue, as described in docs/catalogue.md.
    part_rows : int, optional
        Scenarios of a part, 1 to 1e7; default 131,072, and 512 for dice.
    force : bool, optional
        Write into a folder that is not empty; a sweep that is in it is lost.

    Returns
    -------
    Sweep
        To be run.

    Raises
    ------
    InputError
        With one sentence: what was given, what is allowed.

    Examples
    --------
    >>> import tcsim
    >>> scenarios = [{"target": {}, "attacks": [{"weapon": weapon}]} for weapon in ("Pistol", "Bolt-Action Rifle")]
    >>> sweep = tcsim.new_sweep(scenarios, "two-weapons", trials=1000, seed=7)
    >>> sweep.run().rows
    2
    >>> sweep.frame(["attacks[0].weapon", "trials", "seed"]).to_dict("list")
    {'attacks[0].weapon': ['Pistol', 'Bolt-Action Rifle'], 'trials': [1000, 1000], 'seed': ['7', '7']}
    """
    folder, how = Folder(Path(out)), How.of(trials, precision, seed)
    catalogs = [str(catalog)] if isinstance(catalog, (str, PathLike)) else [str(one) for one in catalog]
    # what is wrong with a file is said before a folder is made
    there = file_given(given) if isinstance(given, (str, PathLike)) else None
    manifest = new_manifest(there, how, catalogs, part_rows) if there is not None else None
    folder.look(force)
    with folder.locked():
        folder.look(force)  # again: another may have been at work
        there = there or copied(given, folder)
        try:
            manifest = manifest or new_manifest(there, how, catalogs, part_rows)
            folder.make_way(files_of(manifest), there.path)
        except InputError:
            if there.is_copy:
                there.path.unlink()
            raise
        made = Sweep(folder, manifest)
        made._begin()
    return made


def open_sweep(out: str | PathLike[str]) -> Sweep:
    """Find a sweep that has begun, to look at its results or to run on.

    Parameters
    ----------
    out : path
        Its folder.

    Returns
    -------
    Sweep
        The last generation of it, if trials were added.

    Raises
    ------
    InputError
        When it is no folder of a sweep.

    Examples
    --------
    >>> import tcsim
    >>> grid = {"scenario": {"target": {}, "attacks": [{}]}, "product": {"target.blood": {"from": 0, "to": 6}}}
    >>> sweep = tcsim.new_sweep(grid, "stopped", part_rows=3)
    >>> tcsim.open_sweep("stopped").status()
    Status(scenarios=7, done=0, failed=0, parts=3, finished=0)
    >>> tcsim.open_sweep("stopped").run().made
    3
    """
    folder = Folder(newest(Path(out)))
    return Sweep(folder, folder.manifest())

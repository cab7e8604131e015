"""Code for 32 lanes at once: a pass over a chunk is written once, in plain operators, and becomes vector instructions.

numba widens small integers to 64 bits and leaves it to LLVM to find vectors again, which costs time to compile and to
run. Here the body of a pass is called while numba compiles: its values are :class:`Vector`, whose operators write LLVM
instructions on 32 lanes of 16 bits. A processor with shorter vectors does the same in two or four parts, so counts do
not depend on it. Truth is a mask, 0xFFFF or 0; numbers are signed, words are not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from tcsim.kernels._compile import DIGEST
from tcsim.kernels.layout import LANES, OWN, STATE, WORK_AT

#: Lanes of a vector.
WIDTH = 32

I16, I32, I64 = ir.IntType(16), ir.IntType(32), ir.IntType(64)


class Vector:
    """Values of neighbouring lanes, while the code that works on them is being written."""

    __slots__ = ("builder", "value")

    def __init__(self, builder: Any, value: Any) -> None:
        self.builder, self.value = builder, value

    def _operand(self, other: Vector | int) -> Any:
        return other.value if isinstance(other, Vector) else constant(self.value.type, other)

    def _write(self, instruction: str, other: Vector | int) -> Vector:
        return Vector(self.builder, getattr(self.builder, instruction)(self.value, self._operand(other)))

    def _compare(self, relation: str, other: Vector | int, signed: bool = True) -> Vector:
        compare = self.builder.icmp_signed if signed else self.builder.icmp_unsigned
        found = compare(relation, self.value, self._operand(other))
        return Vector(self.builder, self.builder.sext(found, self.value.type))

    def __add__(self, other: Vector | int) -> Vector:
        return self._write("add", other)

    def __sub__(self, other: Vector | int) -> Vector:
        return self._write("sub", other)

    def __rsub__(self, other: int) -> Vector:
        return ~self + (other + 1)

    def __mul__(self, other: Vector | int) -> Vector:
        return self._write("mul", other)

    def __and__(self, other: Vector | int) -> Vector:
        return self._write("and_", other)

    def __or__(self, other: Vector | int) -> Vector:
        return self._write("or_", other)

    def __xor__(self, other: Vector | int) -> Vector:
        return self._write("xor", other)

    def __lshift__(self, other: Vector | int) -> Vector:
        return self._write("shl", other)

    def __rshift__(self, other: Vector | int) -> Vector:
        return self._write("lshr", other)

    def __invert__(self) -> Vector:
        return self ^ -1

    def __lt__(self, other: Vector | int) -> Vector:
        return self._compare("<", other)

    def __gt__(self, other: Vector | int) -> Vector:
        return self._compare(">", other)

    def __ge__(self, other: Vector | int) -> Vector:
        return self._compare(">=", other)

    def is_(self, other: Vector | int) -> Vector:
        """Mask of the lanes where both are the same."""
        return self._compare("==", other)

    def has(self, bits: int) -> Vector:
        """Mask of the lanes that have any of some bits."""
        return (self & bits)._compare("!=", 0)

    def below(self, other: Vector | int) -> Vector:
        """Mask of the lanes that are less, as unsigned words."""
        return self._compare("<", other, signed=False)


def constant(kind: Any, number: int) -> Any:
    """Give a constant that is the same in every lane."""
    return ir.Constant(kind, [ir.Constant(kind.element, number)] * kind.count)


def splat(builder: Any, kind: Any, value: Any) -> Vector:
    """Give every lane the same value."""
    undefined = ir.Constant(kind, ir.Undefined)
    first = builder.insert_element(undefined, value, ir.Constant(I32, 0))
    return Vector(builder, builder.shuffle_vector(first, undefined, constant(ir.VectorType(I32, kind.count), 0)))


def _extreme(name: str, a: Vector, b: Vector | int) -> Vector:
    kind = a.value.type
    signature = ir.FunctionType(kind, [kind, kind])
    function = cgutils.get_or_insert_function(a.builder.module, signature, f"llvm.{name}.v{WIDTH}i16")
    return Vector(a.builder, a.builder.call(function, [a.value, a._operand(b)]))


def lower(a: Vector, b: Vector | int) -> Vector:
    """Give the lower of two, lane by lane."""
    return _extreme("smin", a, b)


def higher(a: Vector, b: Vector | int) -> Vector:
    """Give the higher of two, lane by lane."""
    return _extreme("smax", a, b)


def pick(mask: Vector, a: Vector, b: Vector) -> Vector:
    """Give ``a`` where the mask is set, else ``b``."""
    return b ^ ((a ^ b) & mask)


def dice(words: Vector, count: int) -> Iterator[Vector]:
    """Take dice (0 to 5) from words: the sixth of its range that a word lies in; what is left is a word again."""
    builder, kind, wide = words.builder, words.value.type, ir.VectorType(I32, WIDTH)
    for _ in range(count):
        product = builder.mul(builder.zext(words.value, wide), constant(wide, 6))
        yield Vector(builder, builder.trunc(builder.lshr(product, constant(wide, 16)), kind))
        words = words * 6


def keep_highest(tops: list[Vector], die: Vector) -> None:
    """Put a die among the highest so far, which stand in descending order."""
    for place, top in enumerate(tops):
        tops[place], die = higher(top, die), lower(top, die)


def tops_of(faces: Sequence[Vector], size: Vector | None = None, keep: int = 2) -> list[Vector]:
    """Give the highest two or three of the first ``size`` dice, at least two, or of all."""
    first, second, *others = faces
    tops = [higher(first, second), lower(first, second), first & 0][:keep]
    for number, die in enumerate(others, 2):
        keep_highest(tops, die if size is None else die & (size > number))
    return tops


class Chunk:
    """What the body of a pass sees: its rows, by number, and the parameters, which are the same for all lanes."""

    kind = ir.VectorType(I16, WIDTH)

    def __init__(self, builder: Any, before: Any, lane: Any, rows: Callable[[int], Any], params: Any) -> None:
        self._builder, self._lane, self._rows, self._given = builder, lane, rows, params
        self._params: dict[int, Any] = {}
        #: Where the loop over the vectors has not yet begun.
        self.before = before

    def _pointer(self, row: int) -> Any:
        return self._builder.bitcast(self._builder.gep(self._rows(row), [self._lane]), self.kind.as_pointer())

    def __getitem__(self, row: int) -> Vector:
        return Vector(self._builder, self._builder.load(self._pointer(row), align=64))

    def __setitem__(self, row: int, vector: Vector | int) -> None:
        value = vector.value if isinstance(vector, Vector) else constant(self.kind, vector)
        self._builder.store(value, self._pointer(row), align=64)

    def param(self, number: int) -> Vector:
        """Give a parameter; it is loaded once, before the loop, for LLVM cannot know that no store changes it."""
        if number not in self._params:
            with self._builder.goto_block(self.before):
                self._params[number] = self._builder.load(self._builder.gep(self._given, [ir.Constant(I64, number)]))
        return splat(self._builder, self.kind, self._params[number])


def operation(name: str, write: Callable[..., Any]) -> Any:
    """Make something that kernels can call from a function that writes LLVM instructions.

    It becomes a function of its own, so that it is not compiled again wherever it is called. Its arguments are numbers
    (64 bits) and arrays, of which it gets the pointer to the first number; it gives a number.

    Parameters
    ----------
    name : str
        Of the function: no other may have it.
    write : callable
        Called with the builder and the arguments; gives the result, or None for 0.
    """
    symbol = f"tcsim.{DIGEST}.{name}"

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        given = [
            context.make_array(kind)(context, builder, value).data if isinstance(kind, types.Array) else value
            for kind, value in zip(signature.args[0], cgutils.unpack_tuple(builder, values[0]), strict=True)
        ]
        kind = ir.FunctionType(I64, [value.type for value in given])
        function = cgutils.get_or_insert_function(builder.module, kind, symbol)
        if function.is_declaration:
            function.linkage = "linkonce_odr"
            function.attributes.add("noinline")
            inside = ir.IRBuilder(function.append_basic_block("entry"))
            result = write(inside, *function.args)
            inside.ret(ir.Constant(I64, 0) if result is None else result)
        return builder.call(function, given)

    @intrinsic
    def call(typing: Any, *given: Any) -> Any:
        kinds = [kind if isinstance(kind, types.Array) else types.int64 for kind in given]
        if any(isinstance(kind, types.Array) and kind.layout != "C" for kind in kinds):
            return None  # a pass runs through its arrays as they lie in memory
        return types.int64(types.StarArgTuple(kinds)), generate

    return call


def lane_pass(body: Callable[[Chunk], Vector | None], name: str = "") -> Any:
    """Make a pass over a chunk from a body that works on one vector.

    The pass is called with the room (uint16), where in it the state of the chunk and a row of its own begin, the
    parameters (uint16), and flags (uint64[16]). If the body gives a mask, the flags get a bit for each lane, and the
    pass gives how many are set; otherwise it gives 0.
    """

    def write(builder: Any, room: Any, state_at: Any, own_at: Any, params: Any, flags: Any) -> Any:
        found = cgutils.alloca_once_value(builder, ir.Constant(I64, 0))
        flags = builder.bitcast(flags, I32.as_pointer())
        with _each_vector(builder, room, (state_at, own_at), params) as (lane, chunk):
            mask = body(chunk)
            if mask is not None:
                bits = builder.bitcast(_truth(mask), I32)
                builder.store(bits, builder.gep(flags, [builder.lshr(lane, ir.Constant(I64, 5))]))
                number = builder.zext(builder.ctpop(bits), I64)
                builder.store(builder.add(builder.load(found), number), found)
        return builder.load(found)

    return operation(name or body.__name__, write)


def counting_pass(name: str, bodies: Sequence[Callable[[Chunk], Sequence[Vector]]]) -> Any:
    """Make a pass that counts the lanes of each mask that its body gives; which of the bodies is decided by the call.

    The pass is called with the number of the body, the room, where in it the state begins, the parameters, and the
    counts (int64), which it overwrites.
    """

    def write(builder: Any, number: Any, room: Any, state_at: Any, params: Any, counts: Any) -> None:
        after = builder.append_basic_block("counted")
        choice = builder.switch(number, after)
        for place, body in enumerate(bodies):
            block = builder.append_basic_block("body")
            choice.add_case(ir.Constant(I64, place), block)
            builder.position_at_end(block)
            _count(builder, room, state_at, params, counts, body)
            builder.branch(after)
        builder.position_at_end(after)

    return operation(name, write)


def _count(builder: Any, room: Any, state_at: Any, params: Any, counts: Any, body: Any) -> None:
    sums: list[Any] = []
    with _each_vector(builder, room, (state_at, ir.Constant(I64, 0)), params) as (_, chunk):
        for place, mask in enumerate(body(chunk)):
            with builder.goto_block(chunk.before):
                sums.append(cgutils.alloca_once_value(builder, constant(Chunk.kind, 0)))
            builder.store(builder.sub(builder.load(sums[place]), mask.value), sums[place])
    kind = ir.FunctionType(I16, [Chunk.kind])
    add_up = cgutils.get_or_insert_function(builder.module, kind, f"llvm.vector.reduce.add.v{WIDTH}i16")
    for place, lanes in enumerate(sums):
        number = builder.zext(builder.call(add_up, [builder.load(lanes)]), I64)
        builder.store(number, builder.gep(counts, [ir.Constant(I64, place)]))


@intrinsic
def lowest_bit(typing: Any, bits: Any) -> Any:
    """Give the place of the lowest bit that is set in 64."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.cttz(values[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


def _truth(mask: Vector) -> Any:
    return mask.builder.icmp_signed("!=", mask.value, constant(mask.value.type, 0))


@contextmanager
def _each_vector(builder: Any, room: Any, places: Sequence[Any], params: Any) -> Iterator[tuple[Any, Chunk]]:
    """Write a loop over the vectors of a chunk, after a block for what is done once."""
    given = dict(zip((STATE, OWN), places, strict=True))

    def rows(row: int) -> Any:
        return builder.gep(room, [given[row] if row in given else ir.Constant(I64, WORK_AT + row * LANES)])

    before, loop = builder.append_basic_block("before"), builder.append_basic_block("vectors")
    builder.branch(before)
    builder.position_at_end(loop)
    bounds = (ir.Constant(I64, 0), ir.Constant(I64, LANES), ir.Constant(I64, WIDTH))
    with cgutils.for_range_slice(builder, *bounds, I64) as (lane, _):
        yield lane, Chunk(builder, before, lane, rows, params)
    with builder.goto_block(before):
        builder.branch(loop)

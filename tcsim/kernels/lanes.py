"""Arithmetic on 16-bit lanes that stays 16 bits wide.

numba widens small integers to 64 bits, which costs SIMD code a factor of three. These operations are written straight
as LLVM instructions on 16-bit values, so loops of them fill whole vector registers on every processor. Truth is a mask:
0xFFFF or 0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

_I16, _I32, _LANE = ir.IntType(16), ir.IntType(32), types.uint16


def _operation(emit: Callable[..., Any], arguments: int) -> Any:
    """Make a lane operation of something that writes LLVM instructions."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return emit(builder, *values)

    if arguments == 1:

        @intrinsic
        def one(typing: Any, a: Any) -> Any:
            return _LANE(_LANE), generate

        return one
    if arguments == 2:

        @intrinsic
        def two(typing: Any, a: Any, b: Any) -> Any:
            return _LANE(_LANE, _LANE), generate

        return two

    @intrinsic
    def three(typing: Any, a: Any, b: Any, c: Any) -> Any:
        return _LANE(_LANE, _LANE, _LANE), generate

    return three


def _mask(compare: Callable[..., Any]) -> Callable[..., Any]:
    return lambda b, x, y: b.sext(compare(b, x, y), _I16)


def _extreme(name: str) -> Callable[..., Any]:
    kind = ir.FunctionType(_I16, [_I16, _I16])
    return lambda b, x, y: b.call(b.module.declare_intrinsic(name, [_I16], kind), [x, y])


def _six_high(b: Any, x: Any) -> Any:
    product = b.mul(b.zext(x, _I32), ir.Constant(_I32, 6))
    return b.trunc(b.lshr(product, ir.Constant(_I32, 16)), _I16)


add16 = _operation(lambda b, x, y: b.add(x, y), 2)
sub16 = _operation(lambda b, x, y: b.sub(x, y), 2)
mul16 = _operation(lambda b, x, y: b.mul(x, y), 2)
and16 = _operation(lambda b, x, y: b.and_(x, y), 2)
or16 = _operation(lambda b, x, y: b.or_(x, y), 2)
not16 = _operation(lambda b, x: b.not_(x), 1)
shr16 = _operation(lambda b, x, y: b.lshr(x, y), 2)
min16 = _operation(_extreme("llvm.umin"), 2)
max16 = _operation(_extreme("llvm.umax"), 2)
less16 = _operation(_mask(lambda b, x, y: b.icmp_unsigned("<", x, y)), 2)
sless16 = _operation(_mask(lambda b, x, y: b.icmp_signed("<", x, y)), 2)
eq16 = _operation(_mask(lambda b, x, y: b.icmp_unsigned("==", x, y)), 2)
#: ``pick16(mask, a, b)``: a where the mask is set, else b.
pick16 = _operation(lambda b, m, x, y: b.xor(y, b.and_(b.xor(x, y), m)), 3)
#: The die (0 to 5) that a word holds, and the word that is left.
six_high = _operation(_six_high, 1)
six_low = _operation(lambda b, x: b.add(b.shl(x, ir.Constant(_I16, 2)), b.shl(x, ir.Constant(_I16, 1))), 1)

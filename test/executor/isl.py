# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The few functions of isl that the executor needs, from libLLVM through ctypes.

Sets and relations come in as text and go out as Python values: lists of integer
tuples and dictionaries between them. isl does the parsing and the enumeration of
points; nothing else of the compiler is used.
"""

import ctypes
import glob
import os
import re

IN, OUT = 2, 3  # enum isl_dim_type
ON_ERROR_CONTINUE = 1


class IslError(Exception):
    pass


class Isl:
    """A context with the parameters' values."""

    def __init__(self, folder):
        found = glob.glob(os.path.join(folder, "libLLVM.so*")) + glob.glob(
            os.path.join(folder, "libLLVM-*.so")
        )
        if not found:
            raise IslError("no libLLVM in " + folder)
        self.lib = ctypes.CDLL(sorted(found)[0])
        self.libc = ctypes.CDLL(None)
        self.point_fn = ctypes.CFUNCTYPE(
            ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p
        )
        self.ctx = self._call("isl_ctx_alloc")
        self.lib.isl_options_set_on_error(
            ctypes.c_void_p(self.ctx), ON_ERROR_CONTINUE
        )
        self.where = None
        self.cache = {}

    def _call(self, name, *args):
        """Calls a function that returns an object; arguments are given away."""
        fn = getattr(self.lib, name)
        fn.restype = ctypes.c_void_p
        result = fn(*[ctypes.c_void_p(a) if isinstance(a, int) else a for a in args])
        if not result:
            raise IslError(name + " failed")
        return result

    def _read(self, kind, text):
        return self._call(
            "isl_%s_read_from_str" % kind, self.ctx, ctypes.c_char_p(text.encode())
        )

    def _free(self, kind, obj):
        getattr(self.lib, "isl_%s_free" % kind)(ctypes.c_void_p(obj))

    def _string(self, kind, obj):
        """The text of an object, which stays."""
        fn = getattr(self.lib, "isl_%s_to_str" % kind)
        fn.restype = ctypes.c_void_p
        raw = fn(ctypes.c_void_p(obj))
        if not raw:
            raise IslError("isl_%s_to_str failed" % kind)
        text = ctypes.string_at(raw).decode()
        self.libc.free(ctypes.c_void_p(raw))
        return text

    def set_parameters(self, values):
        """Gives the parameters values; all of them must be named."""
        names = ", ".join(values)
        facts = " and ".join("%s = %d" % item for item in values.items()) or "true"
        self.where = "[%s] -> { : %s }" % (names, facts)
        self.cache = {}

    def _fixed(self, kind, text):
        return self._call(
            "isl_%s_intersect_params" % kind,
            self._read(kind, text),
            self._read("set", self.where),
        )

    def _set_points(self, obj):
        """The points of a set, which is given away."""
        points, number = [], re.compile(r"-?\d+")

        def visit(point, _):
            text = self._string("point", point)
            points.append(
                tuple(int(n) for n in number.findall(text[text.rindex("[") :]))
            )
            self._free("point", point)
            return 0

        # Coordinates only: "[n = 5] -> { [1, 2] }" ends in them.
        status = self.lib.isl_set_foreach_point(
            ctypes.c_void_p(obj), self.point_fn(visit), None
        )
        self._free("set", obj)
        if status < 0:
            raise IslError("not a bounded set")
        return points

    def holds(self, text):
        """True if a parameter set contains the parameters' values."""
        obj = self._fixed("set", text)
        empty = self.lib.isl_set_is_empty(ctypes.c_void_p(obj))
        self._free("set", obj)
        return empty == 0

    def points(self, text):
        """The points of a set."""
        return self._set_points(
            self._call("isl_set_flatten", self._fixed("set", text))
        )

    def pairs(self, text):
        """The pairs of a relation between two tuples."""
        if text not in self.cache:
            try:
                self.cache[text] = self._map_pairs(self._fixed("map", text))
            except IslError as error:
                raise IslError("%s: %s" % (error, text))
        return self.cache[text]

    def _map_pairs(self, obj):
        count = self.lib.isl_map_dim(ctypes.c_void_p(obj), IN)
        wrapped = self._call("isl_set_flatten", self._call("isl_map_wrap", obj))
        return [(p[:count], p[count:]) for p in self._set_points(wrapped)]

    def _union_pairs(self, union):
        """{ tuple name: pairs } of a union map, which is given away."""
        result, failed = {}, []

        def visit(obj, _):
            try:
                fn = self.lib.isl_map_get_tuple_name
                fn.restype = ctypes.c_char_p
                name = fn(ctypes.c_void_p(obj), IN).decode()
                result.setdefault(name, []).extend(self._map_pairs(obj))
                return 0
            except IslError as error:
                failed.append(error)
                return -1

        status = self.lib.isl_union_map_foreach_map(
            ctypes.c_void_p(union), self.point_fn(visit), None
        )
        self._free("union_map", union)
        if failed or status < 0:
            raise failed[0] if failed else IslError("a union of relations")
        return result

    def union_pairs(self, text):
        return self._union_pairs(self._fixed("union_map", text))

    def schedule_values(self, band, domain):
        """{ statement: { instance: coordinates } } of a band of a tree. domain: the
        instances, a union set."""
        key = "band", band, domain
        if key not in self.cache:
            union = self._call(
                "isl_union_map_from_multi_union_pw_aff",
                self._read("multi_union_pw_aff", band),
            )
            union = self._call(
                "isl_union_map_intersect_domain",
                union,
                self._fixed("union_set", domain),
            )
            self.cache[key] = {
                name: dict(pairs) for name, pairs in self._union_pairs(union).items()
            }
        return self.cache[key]

    def union_points(self, text, domain):
        """{ tuple name: points } of a union set within a domain, both texts."""
        key = "points", text, domain
        if key not in self.cache:
            obj = self._call(
                "isl_union_set_intersect",
                self._read("union_set", text),
                self._fixed("union_set", domain),
            )
            identity = self._call("isl_union_set_identity", obj)
            self.cache[key] = {
                name: {a for a, _ in pairs}
                for name, pairs in self._union_pairs(identity).items()
            }
        return self.cache[key]

    # For the mutations of a printed program.

    def without(self, kind, text, domain):
        """A union set or map without the instances of a statement's domain."""
        part = self._read("union_set", domain)
        union = self._read(kind, text)
        how = "subtract_domain" if kind == "union_map" else "subtract"
        union = self._call("isl_%s_%s" % (kind, how), union, part)
        result = self._string(kind, union)
        self._free(kind, union)
        return result

"""Names of transition systems on the command line: of the catalogue, or of a user's own file or module."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType

import click

from multiplane.errors import InputError, TransitionSystemError
from multiplane.systems import TransitionSystem, systems


class SystemName(click.ParamType):  # type: ignore[type-arg]  # generic only in newer versions of Click
    """The name of a system; FILE.py:NAME and MODULE:NAME run the user's code and register the system of that name.

    >>> SystemName().convert("2-planar", None, None)
    '2-planar'
    >>> SystemName().convert("no-such-file.py:mine", None, None)
    Traceback (most recent call last):
    ...
    multiplane.errors.InputError: no-such-file.py: cannot be read: no such file
    """

    name = "system"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Returns the name in the catalogue, where the system now is."""
        where, colon, variable = value.rpartition(":")
        if not colon or value in systems:
            return value
        system = _declared_in(_module(where), where, variable)
        if system.name not in systems:
            systems.register(system)
        elif not system.same_declaration(systems[system.name]):
            raise TransitionSystemError(f"{value}: a system '{system.name}' already exists; choose another name")
        return system.name


def _module(where: str) -> ModuleType:
    """Runs a file or imports a module, which may be in the current folder."""
    is_file = where.endswith(".py") or os.path.basename(where) != where
    if is_file and not os.path.isfile(where):
        raise InputError(f"{where}: cannot be read: no such file")
    folder = os.path.dirname(os.path.abspath(where)) if is_file else os.getcwd()
    sys.path.insert(0, folder)  # as for a program in that folder, so that it finds its neighbours
    try:
        if not is_file:
            return import_module(where)
        spec = spec_from_file_location("_multiplane_user_system", where)
        if spec is None or spec.loader is None:
            raise InputError(f"{where}: is no Python file; it must end in .py")
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        return module
    except (Exception, SystemExit) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{where}: cannot be imported: {type(error).__name__}: {error}") from None
    finally:
        sys.path.remove(folder)


def _declared_in(module: ModuleType, where: str, variable: str) -> TransitionSystem:
    system = getattr(module, variable, None)
    if isinstance(system, TransitionSystem):
        return system
    known = [name for name, value in vars(module).items() if isinstance(value, TransitionSystem)]
    hint = f"it has {', '.join(known)}" if known else f"declare one there: {variable or 'NAME'} = TransitionSystem(…)"
    raise InputError(f"{where}: has no transition system '{variable}'; {hint}")


SYSTEM = SystemName()
METAVAR = "NAME|FILE.py:NAME"

"""What all verbs have in common."""

from __future__ import annotations

from collections import Counter

import click


class Verb(click.Command):
    """Refuses an option that is given twice but takes one value; Click would silently use the last one.

    >>> import click
    >>> verb = Verb("verb", params=[click.Option(["-m", "--model"]), click.Option(["--system"], multiple=True)])
    >>> verb.make_context("verb", ["--system", "a", "--system", "b", "-m", "en"]).params
    {'system': ('a', 'b'), 'model': 'en'}
    >>> verb.make_context("verb", ["-m", "en", "--model", "pt"])
    Traceback (most recent call last):
    ...
    click.exceptions.UsageError: --model is given twice; it takes one value
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parses the arguments of the verb."""
        rest = super().parse_args(ctx, list(args))
        _, _, given = self.make_parser(ctx).parse_args(list(args))
        for parameter, times in Counter(given).items():
            if times > 1 and _takes_one(parameter):
                often = "twice" if times == 2 else f"{times} times"
                name = max(parameter.opts, key=len)
                if parameter.secondary_opts:
                    raise click.UsageError(f"{name} or {parameter.secondary_opts[0]} is given {often}; choose one", ctx)
                raise click.UsageError(f"{name} is given {often}; it takes one value", ctx)
        return rest


def _takes_one(parameter: click.Parameter) -> bool:
    """Whether only one value counts; the same flag twice does no harm."""
    if not isinstance(parameter, click.Option) or parameter.multiple or parameter.count:
        return False
    return not parameter.is_flag or bool(parameter.secondary_opts)

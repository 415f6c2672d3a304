"""Options of the verbs that follow the oracle of a transition system."""

from __future__ import annotations

import click

from multiplane.oracles import STRATEGIES, StaticOracle
from multiplane.systems import systems

strategy = click.option(
    "--strategy", type=click.Choice(list(STRATEGIES)), help="The oracle's strategy; by default, the system's."
)
trees = click.option(
    "--trees",
    type=click.Choice(["off", "none", "left", "right"]),
    default="off",
    help="Restrict the system to well-formed trees: without an artificial root, or with one on the left or right.",
)
several_roots = click.option(
    "--several-roots", is_flag=True, help="Allow several words to depend on the artificial root."
)


def static_oracle(name: str, strategy: str | None, trees: str, several_roots: bool) -> StaticOracle:
    """Returns the oracle specified by a verb's options."""
    if several_roots and trees not in ("left", "right"):
        raise click.UsageError("--several-roots needs an artificial root: --trees left or --trees right")
    chosen = systems[name]
    if trees != "off":
        chosen = chosen.trees(None if trees == "none" else trees, single_root=not several_roots)  # type: ignore[arg-type]
    return StaticOracle(chosen, strategy)

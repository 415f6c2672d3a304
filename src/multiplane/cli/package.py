"""`multiplane package`: packs a model for pip."""

from __future__ import annotations

import shlex

import click

from multiplane.cli import options
from multiplane.cli.verb import Verb
from multiplane.parser import model_folder, package_model


@click.command("package", cls=Verb)
@click.argument("model", metavar="MODEL", type=click.Path())
@click.option(
    "-o",
    "--output",
    metavar="FOLDER",
    default=".",
    type=click.Path(),
    help="Output folder; by default, the current one.",
)
@click.option("--name", help="The name to load the model by; by default, that of its folder.")
@click.option("--version", default="1.0", show_default=True, help="The version of the package.")
@options.quiet
def command(model: str, output: str, name: str | None, version: str, quiet: bool) -> None:
    """Pack a model into a wheel, so that others can install it with pip and load it by name.

    For example: multiplane package my-model --name fro -o dist
    """
    wheel = package_model(model_folder(model), output, name=name, version=version)
    options.say(str(wheel))
    options.note(f"install it with: pip install {shlex.quote(str(wheel))}", quiet)

"""`multiplane train`: trains a parser or a tokenizer on a treebank."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from multiplane.cli import options
from multiplane.cli.system_option import METAVAR, SYSTEM
from multiplane.cli.verb import Verb
from multiplane.errors import InputError, visible
from multiplane.formats import Corpus, read
from multiplane.graphs.codecs.planarized import PLANARIZATIONS
from multiplane.graphs.reconstruct import METHODS
from multiplane.messages import duration
from multiplane.models import Epoch, Model, TokenizerModel, save_model
from multiplane.models.files import check_target, is_model
from multiplane.parser import Parser, named_teachers, pipeline_settings, with_raw_scores
from multiplane.training import Reporter, Settings, train_model
from multiplane.training import config as choices
from multiplane.training.checkpoint import check_checkpoint, has_checkpoint, remove_checkpoint
from multiplane.training.joint_config import TASKS, JointSettings
from multiplane.training.neural_config import NEURAL_CHOICES, PRESETS, AnySettings, NeuralSettings
from multiplane.training.settings import PSEUDO_PROJECTIVE
from multiplane.training.tasks import settings_of
from multiplane.training.tokenizer_config import TokenizerSettings, tokenizer_settings
from multiplane.training.train import check_training
from multiplane.training.train_tokenizer import train_tokenizer_model

if TYPE_CHECKING:
    from rich.progress import Progress

_F = TypeVar("_F", bound=Callable[..., object])
TOKENIZER = "tokenizer"
PARSER_EPOCH = 6.0
"""How much longer an epoch of a pipeline's parser takes than one of its tokenizer, roughly."""
_LINEAR, _NEURAL = Settings(), JointSettings()
_WORDS = choices.CHOICES | NEURAL_CHOICES | JointSettings.choices


def _setting(name: str, text: str, kind: Any = int, metavar: str | None = None) -> Callable[[_F], _F]:
    """Returns an option for a setting; its default and bounds come from the settings classes that have it."""
    linear, neural = (getattr(settings, name, None) for settings in (_LINEAR, _NEURAL))
    if name in ("model", "learner"):  # their help texts name the kind of model
        neural = None
    default = linear if neural in (linear, None) else neural if linear is None else f"{linear}; neural: {neural}"
    if name in _WORDS:
        kind = click.Choice(_WORDS[name])
    return click.option(
        f"--{name.replace('_', '-')}",
        type=kind,
        metavar=metavar,
        show_default=False if default is None else str(default),
        help=text,
    )


@click.command("train", cls=Verb)
@click.option(
    "--train",
    "train",
    metavar="FILE",
    multiple=True,
    required=True,
    type=click.Path(),
    help="Training treebank; repeatable.",
)
@click.option("--dev", metavar="FILE", type=click.Path(), help="Development treebank, to choose the best epoch.")
@click.option("-o", "--output", metavar="MODEL", required=True, type=click.Path(), help="The model folder to write.")
@click.option(
    "--task",
    type=click.Choice([*TASKS, TOKENIZER]),
    show_default=TASKS[0],
    help="What to predict: trees; trees and semantic roles; semantic roles for given trees; enhanced graphs; "
    "or how to split text into sentences and words.",
)
@click.option(
    "--pipeline",
    is_flag=True,
    help="Learn everything from raw text to trees: a tokenizer, and a neural parser with tags and lemmas.",
)
@_setting("system", "A transition system; see multiplane systems.", SYSTEM, METAVAR)
@_setting("semantics", "The transition system of graphs, with --task joint.", SYSTEM, METAVAR)
@_setting("order", "When to swap words of graphs (S4).")
@_setting(
    "planarize",
    "Make semantic graphs planar for training; head: lift arcs, and undo this in the output; planar: drop them.",
    click.Choice(PLANARIZATIONS),
)
@_setting("model", "The kind of model.")
@_setting("preset", "Default settings for a neural model.", click.Choice(list(PRESETS)))
@_setting("tags", "Whether a neural model uses the tags and lemmas of the input, or predicts them.")
@_setting("predict", "Predict only these columns of upos,xpos,feats,lemma, and read the others from the input.", str)
@click.option("--vectors", metavar="FILE", type=click.Path(), help="Pretrained word vectors for a neural model.")
@click.option(
    "--encoder",
    metavar="FOLDER",
    type=click.Path(),
    help="A pretrained transformer to fine-tune as the encoder of a neural model.",
)
@click.option(
    "--teacher",
    metavar="MODEL",
    type=click.Path(),
    multiple=True,
    help="A neural model to distil into this one; repeatable.",
)
@click.option(
    "--silver",
    metavar="FILE",
    type=click.Path(),
    multiple=True,
    help="Automatically parsed treebank, as additional training data for a neural model; repeatable.",
)
@_setting("learner", "The learning algorithm of a linear model.")
@click.option(
    "--features", metavar="NAME|FILE", help="Feature model, with templates and slots; by default, the system's own."
)
@_setting("epochs", "Maximum number of epochs; 0: depends on the amount of data.")
@_setting("patience", "Stop after this many epochs without a better LAS on --dev; 0 for never.")
@_setting("beam", "Beam width, doubled in parsing; 1 for greedy.")
@_setting("update", "Where to update after a wrong derivation, with a beam.")
@_setting("oracle", "The oracle; dynamic: also learn from the parser's own errors; auto: dynamic if possible.")
@_setting("exploration", "Probability of following the parser's own errors, with a dynamic oracle.", float)
@_setting("loss", "The loss function of a neural model.")
@_setting(
    "pseudo_projective",
    "Train on projectivized trees, and undo this in the output.",
    click.Choice(PSEUDO_PROJECTIVE),
)
@_setting(
    "reconstruction",
    "How an undirected parser's edges get their directions; by default, from labels.",
    click.Choice(METHODS),
)
@_setting("root", "Position of the artificial root; auto: depends on the data.")
@_setting("bits", "Bits of feature hashes; with fewer than 64, features may share weights.")
@_setting("seed", "Random seed; the same seed gives the same model.")
@click.option(
    "--set", "more", metavar="NAME=VALUE", multiple=True, help="Any other setting, such as margin or dropout."
)
@click.option("--licence", metavar="TEXT", help="Licence of the training data, for the model's README.")
@click.option(
    "--resume", is_flag=True, help="Continue a stopped run from its checkpoint; a finished model is left alone."
)
@click.option("--plot", metavar="PICTURE", type=click.Path(), help="Draw the learning curve (.svg or .png).")
@options.input_format
@options.quiet
def command(
    train: tuple[str, ...],
    dev: str | None,
    output: str,
    more: tuple[str, ...],
    licence: str | None,
    resume: bool,
    plot: str | None,
    pipeline: bool,
    input_format: str | None,
    quiet: bool,
    **settings: Any,
) -> None:
    """Train a parser and write it to a folder for `multiplane parse`.

    With --pipeline, one treebank is all it takes to parse raw text in its language.

    After every epoch, a checkpoint is written next to the folder. Ctrl-C stops training and keeps the best model so
    far; --resume continues as if never interrupted, and does nothing if the model is finished.
    """
    given = {name: value for name, value in settings.items() if value not in (None, ())}
    given = named_teachers(_with_settings(given, more))
    check_target(output)
    _check_picture(plot)
    chosen, for_tokenizer = pipeline_settings(given) if pipeline else (_chosen(given), None)
    checkpoint = f"{output.rstrip('/')}.checkpoint"
    for folder in _checkpoints(checkpoint) if pipeline else (checkpoint,):
        check_checkpoint(folder)
    if resume and is_model(output) and not any(map(has_checkpoint, _checkpoints(checkpoint))):
        # A script that always resumes must not lose a model to a second run.
        options.note(f"{output}: is finished, and there is nothing to resume; drop --resume to train it again", quiet)
        return
    data = _Data([read(path, input_format) for path in train], None if dev is None else read(dev, input_format))
    if isinstance(chosen, NeuralSettings) and for_tokenizer is not None:
        check_training(data.train, data.dev, chosen)  # before the tokenizer is trained
    run = _Run(data, checkpoint, resume, licence, quiet)
    tokenizer = None if for_tokenizer is None else run.own_tokenizer(for_tokenizer, chosen.epochs_for(data.words))
    model, interrupted = run.model(chosen)
    if isinstance(model, TokenizerModel):
        save_model(model, output)
    else:
        parser = Parser(model, tokenizer)
        if tokenizer is not None and data.dev is not None:
            parser = with_raw_scores(parser, data.dev)
            model = parser.model
        parser.save(output)
    if plot is not None:
        from multiplane.visual.chart import plot_curve  # noqa: PLC0415 - needs an extra

        plot_curve([output], plot)
    options.say(_result(output, model))
    if raw := ", ".join(f"{name} {share:.2f}" for name, share in model.record.raw.items()):
        options.say(f"{output}: {raw} on its raw text")
    if interrupted:
        options.say(f"interrupted: {output} is the best model so far; add --resume to continue", err=True)
        click.get_current_context().exit(130)
    with_it = "MODEL --tokenizer " if isinstance(model, TokenizerModel) else ""
    file = "TEXT" if with_it or tokenizer is not None else "FILE"
    options.note(f"parse with it: multiplane parse -m {with_it}{shlex.quote(output)} {file}", quiet)
    run.remove_checkpoints()


class _Data(NamedTuple):
    train: list[Corpus]
    dev: Corpus | None

    @property
    def words(self) -> int:
        return sum(treebank.words for treebank in self.train)


class _Run:
    """Trains what a model consists of, with a checkpoint for each part."""

    def __init__(self, data: _Data, checkpoint: str, resume: bool, licence: str | None, quiet: bool) -> None:
        self._data, self._checkpoint, self._quiet = data, checkpoint, quiet
        self._how: dict[str, Any] = {"resume": resume, "licence": licence}

    def model(self, settings: AnySettings | TokenizerSettings) -> tuple[Model | TokenizerModel, bool]:
        """Trains a parser or a tokenizer; also returns whether it was interrupted."""
        return self._trained(settings, self._checkpoint, settings.epochs_for(self._data.words))

    def own_tokenizer(self, settings: TokenizerSettings, parser_epochs: int) -> TokenizerModel:
        """Trains the tokenizer of a pipeline, whose parser will be trained for some epochs."""
        epochs = settings.epochs_for(self._data.words)
        _, folder = _checkpoints(self._checkpoint)
        model, interrupted = self._trained(settings, folder, epochs, PARSER_EPOCH * parser_epochs)
        if interrupted:
            options.say("interrupted before the parser was trained; add --resume to continue", err=True)
            click.get_current_context().exit(130)
        assert isinstance(model, TokenizerModel)
        options.note(f"tokenizer: {', '.join(_scores(model.record.chosen)) or 'trained'}; now the parser", self._quiet)
        return model

    def _trained(
        self, settings: AnySettings | TokenizerSettings, checkpoint: str, epochs: int, later: float = 0
    ) -> tuple[Model | TokenizerModel, bool]:
        train, dev = self._data
        with _reporter(sum(map(len, train)), epochs, self._quiet, later) as reporter:
            if isinstance(settings, TokenizerSettings):
                return train_tokenizer_model(
                    train, dev, settings, checkpoint=checkpoint, reporter=reporter, **self._how
                )
            return train_model(train, dev, settings, checkpoint=checkpoint, reporter=reporter, **self._how)

    def remove_checkpoints(self) -> None:
        for folder in _checkpoints(self._checkpoint):
            remove_checkpoint(folder)


def _checkpoints(folder: str) -> tuple[str, str]:
    """Returns the checkpoints of a model and of its own tokenizer."""
    return folder, f"{folder}.tokenizer"


def _chosen(given: dict[str, Any]) -> AnySettings | TokenizerSettings:
    """Returns the settings for the task."""
    if given.get("task") == TOKENIZER:
        return tokenizer_settings({name: value for name, value in given.items() if name != "task"})
    return settings_of(given)


def _with_settings(given: dict[str, Any], more: tuple[str, ...]) -> dict[str, Any]:
    """Adds the settings of --set to the other options; rejects duplicates."""
    for name, value in map(_named, more):
        if name in given:
            raise click.UsageError(f"{name.replace('_', '-')} is given twice; it takes one value")
        given = given | {name: value}
    return given


def _named(text: str) -> tuple[str, Any]:
    """Parses the argument of `--set`.

    >>> _named("margin=0.5"), _named("explore-from=1"), _named("regularized=false")
    (('margin', 0.5), ('explore_from', 1), ('regularized', False))
    """
    name, equals, value = text.partition("=")
    if not equals:
        raise click.UsageError(f"--set takes NAME=VALUE, not '{text}'")
    name = name.strip().replace("-", "_")
    if value in ("true", "false"):
        return name, value == "true"
    for kind in (int, float):
        try:
            return name, kind(value)
        except ValueError:
            pass
    return name, value


def _check_picture(plot: str | None) -> None:
    """Raises an error before training if the picture cannot be drawn after it."""
    if plot is None:
        return
    if not plot.lower().endswith((".svg", ".png")):
        raise click.UsageError(f"cannot draw '{plot}'; charts must end in .svg or .png")
    folder = os.path.dirname(plot)
    if folder and not os.path.isdir(folder):
        raise InputError(f"{plot}: cannot be written: there is no folder {folder}")
    from multiplane.visual.figures import new_figure  # noqa: PLC0415 - needs an extra

    new_figure(plot, (1, 1))


def _result(output: str, model: Model | TokenizerModel) -> str:
    """Returns the final line of output.

    >>> from multiplane import sample, train
    >>> _result("m", train(sample(), epochs=1).model)
    'm: 2-planar-eager.trees(no root, single root), epoch 1'
    """
    record = model.record
    title = TOKENIZER if isinstance(model, TokenizerModel) else model.system.title
    text = f"{output}: {title}, epoch {record.best}"
    epoch = record.chosen
    if epoch is None or epoch.quality is None:
        return text
    return f"{text}: {', '.join(_scores(epoch))} on {record.dev}"


def _scores(epoch: Epoch | None) -> list[str]:
    """Returns the scores of an epoch on the development data."""
    if epoch is None:
        return []
    names = {"UPOS": epoch.upos, "UAS": epoch.uas, "LAS": epoch.las, "semantic F1": epoch.semantic_f1}
    if epoch.las is None:  # an epoch of an older version, before --resume
        names["LAS-full"] = epoch.las_full
    names |= {"ELAS": epoch.elas, "words": epoch.words, "tokens": epoch.tokens, "sentences": epoch.sentences}
    return [f"{name} {share:.2f}" for name, share in names.items() if share is not None]


class _EpochLines(Reporter):
    """Prints a line per epoch, and a progress bar on a terminal."""

    def __init__(self, sentences: int, epochs: int, bar: Progress | None, later: float) -> None:
        self._sentences, self._epochs, self._bar, self._later = sentences, epochs, bar, later
        self._task: Any = None
        self._seconds: list[float] = []
        """The time that each epoch took in this run."""

    def note(self, text: str) -> None:
        if self._bar is None:
            options.say(text, err=True)
        else:  # above the bar
            self._bar.console.print(visible(text), markup=False, highlight=False, soft_wrap=True)

    def begin(self, epoch: int) -> None:
        if self._bar is not None:
            if self._task is not None:
                self._bar.remove_task(self._task)
            left = f", {self._left(epoch - 1)}" if self._seconds else ""
            self._task = self._bar.add_task(f"epoch {epoch} of {self._epochs}{left}", total=self._sentences)

    def advance(self, sentences: int) -> None:
        if self._bar is not None:
            self._bar.advance(self._task, sentences)

    def end(self, epoch: Epoch, seconds: float, is_best: bool) -> None:
        parts = [f"epoch {epoch.number}", f"errors {epoch.error:.2f} %"]
        if epoch.label_error is not None:
            parts.append(f"labels {epoch.label_error:.2f} %")
        if epoch.quality is not None:
            parts += _scores(epoch)
            parts[-1] += " *" if is_best else "  "
        self._seconds.append(seconds)
        left = f"; {self._left(epoch.number)}" if epoch.number < self._epochs + self._later else ""
        self.note(", ".join([*parts, f"{seconds:.1f} s"]) + left)

    def _left(self, done: int) -> str:
        """Estimates the remaining training time, without early stopping."""
        seconds = sum(self._seconds) / len(self._seconds) * (self._epochs + self._later - done)
        return f"{'about ' if self._later else ''}{duration(seconds)} left"


@contextmanager
def _reporter(sentences: int, epochs: int, quiet: bool, later: float) -> Iterator[Reporter]:
    if quiet:
        yield Reporter()
    elif not sys.stderr.isatty():
        yield _EpochLines(sentences, epochs, None, later)
    else:
        with options.counting_bar("sentence") as bar:
            yield _EpochLines(sentences, epochs, bar, later)

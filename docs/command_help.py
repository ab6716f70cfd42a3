"""The Sphinx directive `command-help`: a section for each command of `mate`, as `--help` has it."""

from collections.abc import Iterator

import typer
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from mate.cli import app

WIDTH = 88


def help_texts(group: typer.core.TyperGroup, name: str) -> Iterator[tuple[str, str]]:
    """Yield the name and the help text of a command and of all below it."""
    context = typer.Context(group, info_name=name, terminal_width=WIDTH, max_content_width=WIDTH)
    # Without frames and colours.
    group.rich_markup_mode = None
    yield name, group.get_help(context)
    if isinstance(group, typer.core.TyperGroup):
        for below in group.list_commands(context):
            yield from help_texts(group.get_command(context, below), f"{name} {below}")


class CommandHelp(SphinxDirective):
    """Sections under the one that the directive stands in."""

    def run(self) -> list[nodes.Node]:
        return [_section(*found) for found in help_texts(typer.main.get_command(app), "mate")]


def _section(name: str, text: str) -> nodes.section:
    section = nodes.section(ids=[nodes.make_id(name)], names=[name])
    section += nodes.title(text=name)
    section += nodes.literal_block(text, text, language="text")
    return section


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx of the directive."""
    app.add_directive("command-help", CommandHelp)
    return {"parallel_read_safe": True}

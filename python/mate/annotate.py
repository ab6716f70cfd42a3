"""Records with comments that tell what decisions cost.

`-36: 7h kept +56` after a move: it cost 36 points; 7h, the best, would have kept a margin of 56
for the player who moved. docs/review.md tells the other forms.
"""

import re

from mate.record import Record, write_result
from mate.reviewing import Decision, Review

MOST_TOLD = 3  # best moves in a comment
TURNING = "turning point"

_MOVE = r"[*]?[A-Z0-9][a-z]!?|[*]-"
_MARGIN = r"[+-][0-9]+|0"
_OURS = re.compile(
    rf" ?(?:-[0-9]+(?: to -[0-9]+)?|0 to -[0-9]+):"
    rf" (?:(?:{_MOVE})(?:, (?:{_MOVE}))*(?:, …)? kept (?:{_MARGIN}|\?)|unknown cards)"
    rf"(?:; {TURNING})?(?![^ ])"
)


def annotate(record: Record, review: Review) -> Record:
    """Return the record with a comment after each move that cost something.

    Comments that were there stay, but for those that this wrote before.

    >>> import mate
    >>> game = mate.Game("AQ7.A7.TK7.AT")
    >>> game.push("Ac")
    >>> record = mate.Record.of(game)
    >>> annotated = annotate(record, mate.review(record))
    >>> annotated.comments
    {1: '-56: 7c kept +56; turning point'}
    >>> annotate(annotated, mate.review(annotated)) == annotated
    True
    """
    comments = {ply: _OURS.sub("", text).strip(" ") for ply, text in record.comments.items()}
    for decision in review.decisions:
        if decision.costs[1]:
            told = comment_on(decision, decision == review.turning_point)
            before = comments.get(decision.ply + 1)
            comments[decision.ply + 1] = f"{before} {told}" if before else told
    return record.with_comments(comments)


def comment_on(decision: Decision, turning: bool = False) -> str:
    """Return the comment on a decision that cost something, or may have."""
    return f"{write_cost(decision)}: {_better(decision)}{f'; {TURNING}' * turning}"


def write_cost(decision: Decision) -> str:
    """Write what a decision cost, a range if that depends on unknown cards.

    >>> import mate
    >>> game = mate.Game("AQ7.A7.TK7.AT")
    >>> game.push("Ac")
    >>> write_cost(mate.review(game).decisions[0])
    '-56'
    """
    least, most = (write_result(-cost) for cost in decision.costs)
    return least if least == most else f"{least} to {most}"


def _better(decision: Decision) -> str:
    if not decision.best:
        return "unknown cards"
    more = ["…"] * (len(decision.best) > MOST_TOLD)
    kept = "?" if decision.best_value is None else write_result(decision.best_value)
    return f"{', '.join([*decision.best[:MOST_TOLD], *more])} kept {kept}"

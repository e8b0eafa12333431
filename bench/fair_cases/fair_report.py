"""The tables of the fair-play bench: counts, shares and 95 % intervals, by game and in sum, and the worst cases."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from bench.fair_cases.judgement import Outcome, Sort
from bench.fair_cases.plain_throws import PlainScore, percentile
from bench.fair_cases.play_case import Result
from vision.model_file import wilson_interval

CHEAT_COLUMNS = (Outcome.RIGHT, Outcome.ASKED, Outcome.SILENTLY_WRONG, Outcome.UNTOLD, Outcome.IN_JOURNAL)
MISHAP_COLUMNS = (Outcome.RIGHT, Outcome.ASKED, Outcome.SILENTLY_WRONG, Outcome.ACCUSED, Outcome.STUCK)
BAD = frozenset({Outcome.SILENTLY_WRONG, Outcome.UNTOLD, Outcome.IN_JOURNAL, Outcome.ACCUSED, Outcome.STUCK})
MOST_NOTES = 14


def share(part: int, whole: int) -> str:
    """Return a count with its share and its 95 % interval: `3 (6.0 %, 2.1-16.2)`."""
    if not whole:
        return "-"
    low, high = wilson_interval(part, whole)
    return f"{part} ({100 * part / whole:.1f} %, {100 * low:.1f}-{100 * high:.1f})"


def case_table(results: Sequence[Result], sort: Sort) -> Iterator[str]:
    """Yield the table of the cheats or the mishaps."""
    columns = CHEAT_COLUMNS if sort is Sort.CHEAT else MISHAP_COLUMNS
    yield f"| {sort}s | judged | {' | '.join(columns)} |"
    yield "| --- " * (len(columns) + 2) + "|"
    of_sort = [result for result in results if result.sort == sort and result.outcome]
    for title, of_game in _by_game(of_sort):
        counts = Counter(result.outcome for result in of_game)
        cells = [share(counts[column], len(of_game)) for column in columns]
        yield f"| {title} | {len(of_game)} | {' | '.join(cells)} |"


def _by_game(results: Sequence[Result]) -> Iterator[tuple[str, Sequence[Result]]]:
    for game in sorted({result.game for result in results}):
        yield game, [result for result in results if result.game == game]
    yield "**all**", results


def plain_table(scores: Mapping[str, PlainScore]) -> Iterator[str]:
    """Yield the table of the plain legal throws."""
    yield "| plain throws | throws | dice | asked | not ruled | accused | misread | rest to ruling, 95 % |"
    yield "| --- " * 8 + "|"
    total = sum(scores.values(), PlainScore())
    for title, score in (*sorted(scores.items()), ("**all**", total)):
        counts = (score.asked, score.unruled, score.accused, score.misread)
        cells = " | ".join(share(count, score.throws) for count in counts)
        yield f"| {title} | {score.throws} | {score.dice} | {cells} | {percentile(score.rest_s, 0.95):.3f} s |"


def worst_cases(results: Iterable[Result], most: int = 40) -> Iterator[str]:
    """Yield the situations with what went wrong, the worst first, each with one case told."""
    by_situation = defaultdict[str, list[Result]](list)
    for result in results:
        if result.outcome:
            by_situation[result.situation].append(result)
    bad = {name: [one for one in cases if one.outcome in BAD] for name, cases in by_situation.items()}
    for name in sorted(bad, key=lambda each: -len(bad[each]) / len(by_situation[each]))[:most]:
        if not bad[name]:
            continue
        what = ", ".join(f"{count} {outcome}" for outcome, count in Counter(one.outcome for one in bad[name]).items())
        yield f"{name}: {what} of {len(by_situation[name])}"
        yield f"    {bad[name][0].game}, seed {bad[name][0].seed}"
        yield from (f"    {note}" for note in bad[name][0].notes[:MOST_NOTES])


def report(results: Sequence[Result], scores: Mapping[str, PlainScore]) -> str:
    """Return all tables as text."""
    lines = list[str]()
    for sort in (Sort.CHEAT, Sort.MISHAP):
        if any(result.sort == sort for result in results):
            lines += [*case_table(results, sort), ""]
    if scores:
        lines += [*plain_table(scores), ""]
    lines += [*worst_cases(results), ""]
    skipped = [result for result in results if not result.outcome]
    if skipped:
        why = Counter((one.situation, one.game, one.notes[0] if one.notes else "") for one in skipped)
        lines += [
            "could not be staged:",
            *(f"    {count} x {name}, {game}: {said}" for (name, game, said), count in why.items()),
        ]
    total = sum(scores.values(), PlainScore())
    lines += [f"    {worst}" for worst in total.worst]
    return "\n".join(lines)

"""Shortening: words of one letter that are no names, in all their places at once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pollard.passes.shortening.renaming import shorten
from pollard.passes.strategy import default_strategy
from pollard.syntax.branches.branches import Preprocessing
from tests.core.passes.support import Case, after, cases, document, reduced, reduced_ahead
from tests.examples import examples


def _shortened(name: str, text: bytes, *needed: bytes) -> bytes:
    """The text with all words shortened but those that are needed."""
    case = Case(text, name, lambda text: all(word in text for word in needed))
    return reduced(case, shorten).text


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("markdown", b"See [guide].\n\n[guide]: other\n", b"S [g].\n\n[g]: o\n"),
        ("css", b".long nav { margin: 0 }\nnav { }\n", b".l n { m: 0 }\nn { }\n"),
        ("json", b'{"debug": {"node/debug": "some-word"}}\n', b'{"d": {"n/d": "s"}}\n'),
        (
            "html",
            b"<p id=freq>some</p><label for=freq></label>\n",
            b"<p i=f>s</p><l a=f></l>\n",
        ),
        ("c", b"int x = unknown(value);\n", b"int x = u(v);\n"),
        ("python", b"x = other # some words\n", b"x = o # s w\n"),
        ("perl", b"package Some::Name; @x = (Some::Name);\n", b"package S; @x = (S);\n"),
    ],
)
def test_words_get_their_first_letter_in_all_places_in_one_run(name, text, expected):
    result = reduced(Case(text, name, lambda _: True), shorten)
    assert result.text == expected
    assert len(result.judge.asked) == 1


def test_a_name_that_is_also_said_in_a_string_is_shortened_in_both():
    text = b'int total; char *s = "total";\n'
    assert _shortened("c", text) == b'int t; char *s = "t";\n'


def test_what_rename_has_tried_is_left_to_it():
    text = b"int total; int x = again + again + total;\n"
    assert reduced(Case(text, "c", lambda _: True), shorten).judge.asked == []


def test_words_that_the_grammar_knows_are_left_alone():
    """Keywords, types and tags that are nodes of a kind of their own."""
    assert _shortened("html", b"<style>a {}</style>\n") == b"<style>a {}</style>\n"
    assert _shortened("c", b"int32_t x = NULL + longer;\n") == b"int32_t x = NULL + l;\n"
    assert _shortened("sql", b"SELECT 'words' FROM x\n") == b"SELECT 'w' FROM x\n"


def test_keywords_of_an_island_stay_and_its_words_go():
    text = b"<p title=longer><script>function f() { longer() }</script>\n"
    result = reduced(Case(text, "html", lambda _: True), shorten)
    assert result.text == b"<p t=l><script>function f() { l() }</script>\n"
    assert len(result.judge.asked) == 1


def test_without_islands_the_text_of_one_is_words_like_others():
    text = b"<script>other</script>\n"
    case = Case(text, "html", lambda _: True)
    result = reduced(case, shorten, preprocessing=Preprocessing(islands=False))
    assert result.text == b"<script>o</script>\n"


def test_capitals_stay_capitals_and_taken_letters_are_not_taken_again():
    text = b'{"Some": "f", "first": "forth", "F": 0}\n'
    assert _shortened("json", text) == b'{"S": "f", "a": "b", "F": 0}\n'


def test_what_resists_stays_and_the_others_go():
    text = b'["first", "second", "third", "fourth"]\n'
    assert _shortened("json", text, b"second") == b'["a", "second", "t", "f"]\n'


def test_what_saves_most_is_tried_first():
    text = b'["short", "the", "longest-word", "again", "again"]\n'
    asked = reduced(Case(text, "json", lambda _: False), shorten).judge.asked
    assert asked[1] == b'["short", "the", "l", "a", "a"]\n'


def test_a_run_that_saves_less_than_four_bytes_of_a_long_text_is_not_worth_it():
    numbers = b", ".join([b"%d" % (1 << 40)] * 10)
    assert _shortened("json", b'["some", %s]\n' % numbers) == b'["some", %s]\n' % numbers
    assert _shortened("json", b'["words", %s]\n' % numbers) == b'["w", %s]\n' % numbers
    assert _shortened("json", b'["some", "many", %s]\n' % numbers).startswith(b'["s", "m"')
    assert _shortened("json", b'["some", "many", %s]\n' % numbers, b"many").startswith(b'["some"')


def test_in_a_short_text_three_bytes_are_worth_a_run():
    assert _shortened("json", b'["some"]\n') == b'["s"]\n'


@pytest.mark.parametrize(
    ("outside", "inside"),
    [
        (b"longer", b"longer"),
        (b"longer.x", b"longer"),
        (b"x-longer", b"longer"),
        (b"x-longer", b"x-longer"),
    ],
)
def test_words_that_stand_outside_of_the_region_are_left_alone(outside, inside):
    before, region, after = b'["%s"' % outside, b', "%s", "other"' % inside, b', "%s"]\n' % outside
    one = reduced(
        Case(before + region + b"]", "json", lambda _: True),
        shorten,
        region=(len(before), len(before + region)),
    )
    other = reduced(
        Case(b'["x"' + region + after, "json", lambda _: True), shorten, region=(0, 4 + len(region))
    )
    assert one.text == before + region.replace(b"other", b"o") + b"]"
    assert other.text == b'["x"' + region.replace(b"other", b"o") + after


def test_a_word_across_the_border_of_the_region_is_left_alone():
    text = b'["longer", "inside", "longer"]\n'
    result = reduced(Case(text, "json", lambda _: True), shorten, region=(4, len(text)))
    assert result.text == b'["longer", "i", "longer"]\n'


def test_names_of_other_alphabets_and_escapes_stay_whole():
    text = '["été", "words été"]\n'.encode()
    assert _shortened("json", text).endswith('"w été"]\n'.encode())


def test_by_itself_it_goes_down_to_single_words():
    text = b"[%s]\n" % b", ".join(b'"%s%s"' % (b"words" * 2, b"x" * n) for n in range(26))
    asked = reduced(Case(text, "json", lambda _: False), shorten).judge.asked
    assert 26 < len(asked) <= 2 * 26 + 1


def test_its_runs_are_a_small_share_of_those_before_it_but_four_at_least():
    text = b"[%s]\n" % b", ".join(b'"%s%s"' % (b"words" * 2, b"x" * n) for n in range(26))
    case = Case(text, "json", lambda _: False)
    first, few, more = (
        len(reduced(case, after(tried, shorten)).judge.asked) for tried in (1, 100, 500)
    )
    assert 4 == first == few < more < 500 / 10


@examples(20)
@given(case=cases(), tried=st.integers(1, 200))
def test_the_budget_holds_whatever_is_interesting(case: Case, tried: int):
    result = reduced(case, after(tried, shorten))
    errors = document(case.text, case.language).errors
    assert len(result.judge.asked) <= max(tried // 25, 4)
    assert set(result.accepted) <= result.judge.interesting
    assert all(document(text, case.language).errors <= errors for text in result.accepted)


@pytest.mark.parametrize(
    "text",
    [
        b", ".join(b'"text%d"' % number for number in range(500)),
        b", ".join([b'"text"'] * 10_000),
    ],
    ids=["many words", "many bytes"],
)
def test_where_much_is_left_it_asks_nothing(text):
    assert reduced(Case(b"[%s]\n" % text, "json", lambda _: True), shorten).judge.asked == []


def test_a_text_without_grammar_is_left_alone():
    assert reduced(Case(b"longer longer\n", None, lambda _: True), shorten).judge.asked == []


def test_the_default_strategy_has_it_after_polish_and_not_without_renaming():
    steps = [str(step) for step in default_strategy().steps]
    assert steps[steps.index("polish") + 1] == "shorten"
    assert "shorten" not in [str(step) for step in default_strategy(renaming=False).steps]


@examples(15)
@given(case=cases())
def test_reading_ahead_accepts_the_same(case: Case):
    result = reduced(case, shorten)
    assert reduced(case, shorten).judge.asked == result.judge.asked
    assert reduced_ahead(case, shorten, 4) == (result.accepted, len(result.accepted))

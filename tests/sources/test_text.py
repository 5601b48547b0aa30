"""Bytes that are no JSON of the engine: one clear line each, and never a word of the file's."""

import json
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from crossgate.sources import SourceError, load
from tests.sources.builders import FIXTURES, digest, stack_step, step

WHOLE = (FIXTURES / "preview-first.json").read_bytes()
PASSWORD = "hunter" + "2"


def refused(content: Path | bytes | str) -> str:
    with pytest.raises(SourceError) as caught:
        load(content)
    words = str(caught.value)
    assert "\n" not in words
    assert PASSWORD not in words
    return words


@pytest.mark.parametrize("content", [b"", b" \n\t", b"\xef\xbb\xbf"])
def test_an_empty_file(content: bytes) -> None:
    assert "empty: the command that should have written it did not" == refused(content)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.999])
def test_a_file_that_is_cut_off(share: float) -> None:
    assert "not complete JSON: the file is cut off" == refused(WHOLE[: int(len(WHOLE) * share)])


@pytest.mark.parametrize("content", ['{"steps": [', '{"steps"', '{"steps": ["', '{"a": tr', '{"a": -', "{"])
def test_cut_off_anywhere(content: str) -> None:
    assert refused(content).startswith("not complete JSON" if not content.endswith(("tr", "-")) else "not ")


@pytest.mark.parametrize("content", [f"password: {PASSWORD}", "name: shop\nruntime: python\n", PASSWORD, "<html>"])
def test_no_json_at_all(content: str) -> None:
    assert "not JSON" == refused(content)


def test_json_with_a_mistake_names_the_place() -> None:
    assert "not JSON: line 2, column 14" == refused('{"steps": [],\n "password": ' + PASSWORD + "}")


def test_standard_error_in_the_file() -> None:
    warning = f"warning: using {PASSWORD}\nPreviewing update (dev):\n"
    assert "text stands before the JSON: was standard error redirected into the file?" == refused(
        warning.encode() + WHOLE
    )


def test_text_after_the_document() -> None:
    assert "text stands after the JSON document" == refused(WHOLE + b"Resources: 3 to create\n")


@pytest.mark.parametrize("constant", ["NaN", "Infinity", "-Infinity"])
def test_numbers_that_json_does_not_have(constant: str) -> None:
    content = digest([step("create", "logs", inputs={"size": 1})]).replace('"size": 1', f'"size": {constant}')
    assert f"not JSON: {constant} is no number there" == refused(content)


def test_a_number_with_too_many_digits() -> None:
    assert refused('{"steps": [' + "9" * 5000 + "]}") in {
        "not JSON: a number with too many digits",  # Python 3.11 and later refuse to convert it
        "steps[0]: must be an object",
    }


def test_nesting_without_end() -> None:
    for content in ("[" * 100_000, '{"a":' * 10_000 + "1" + "}" * 10_000):
        assert refused(content) in {
            "nested too deeply to be a file of the engine",
            "not complete JSON: the file is cut off",
        }


def test_a_deeply_nested_property_is_refused_or_read() -> None:
    """Never a crash of the interpreter, whatever it can take."""
    value = "[" * 10_000 + "]" * 10_000
    content = digest([step("create", "logs", inputs={"deep": 0})]).replace('"deep": 0', f'"deep": {value}')
    with suppress(SourceError):
        assert load(content).stack.resources


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig"])
def test_a_byte_order_mark_is_believed(encoding: str) -> None:
    """Windows PowerShell 5 writes UTF-16 with a mark when it redirects."""
    mark = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}.get(encoding, b"")
    content = digest([stack_step(), step("create", "büro")])
    assert ["shop-dev", "büro"] == [each.name for each in load(mark + content.encode(encoding)).stack.resources]


def test_a_byte_order_mark_that_lies() -> None:
    assert "not the UTF-16-LE text that its first bytes announce" == refused(b"\xff\xfe\x00\xd8x")


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252"])
def test_other_encodings_are_refused(encoding: str) -> None:
    content = json.dumps(json.loads(digest([step("create", "büro")])), ensure_ascii=False).encode(encoding)
    assert "not UTF-8 text" == refused(content)


def test_utf_16_without_a_mark_is_refused() -> None:
    assert "not UTF-8 text" == refused(digest([stack_step()]).encode("utf-16-le"))
    assert "not UTF-8 text" == refused(digest([stack_step()]).encode("utf-16-be"))


def test_lone_surrogates_are_kept_as_they_are() -> None:
    content = digest([step("create", "logs")]).replace("logs", "\\ud800")
    assert "\ud800" == load(content).stack.resources[0].name


def test_a_missing_file(tmp_path: Path) -> None:
    assert "there is no such file" == refused(tmp_path / "preview.json")


def test_a_folder(tmp_path: Path) -> None:
    assert "a folder, not a file" == refused(tmp_path)


def test_a_path_that_is_none() -> None:
    assert "cannot be read: not a path" == refused(Path("a\0b"))


@pytest.mark.skipif(sys.platform != "linux", reason="a file that not even root can read")
def test_a_file_that_cannot_be_read() -> None:
    assert "cannot be read: input/output error" == refused(Path("/proc/self/mem"))

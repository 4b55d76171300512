"""The leak scanner: what it finds in which wrapping, what it passes over, and that it shows no private text."""

import base64
import bz2
import gzip
import html
import io
import json
import lzma
import random
import urllib.parse
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from benchpress.canonical import canonical_bytes
from benchpress.commitment import canary
from benchpress_evaluator.leaks.public import NOTHING, Known
from benchpress_evaluator.leaks.search import UNREAD, Search
from benchpress_evaluator.leaks.unwrap import layers
from benchpress_evaluator.leaks.windows import WIDTH, tokens, windows
from benchpress_evaluator.vault.sealed import Sealed

TEMPLATE = "Here is the complete list of direct influences at work"
WORDS = [f"word{place}" for place in range(400)]


def with_params(params: dict[str, Any]) -> Sealed:
    """A version of one item that asks nothing new but has these parameters."""
    value = json.loads(PRIVATE.lines[0]) | {"params": params}
    return replace(PRIVATE, lines=(canonical_bytes(value),))


def line(place: int, secret: str) -> bytes:
    draw = random.Random(f"{secret} {place}")
    said = " ".join(draw.sample(WORDS, 20))
    prompt = f'{TEMPLATE}: {said}.\nHow large is it? "Answer & stop" \u2013 <now>.'
    return canonical_bytes(
        {
            "schema": "benchpress.item/1",
            "id": f"toy-chain-base-l4-{draw.getrandbits(48):012x}",
            "module": "toy",
            "bundle": "chain",
            "variant": "base",
            "level": 4,
            "params": {"nodes": draw.sample(WORDS, 6), "share": str(draw.random())[:6], "more": draw.sample(WORDS, 4)},
            "prompt": prompt,
            "parts": [{"id": "N", "type": "number", "gold": "1", "params": {"tolerance": "0"}, "skills": []}],
            "verification": [],
        }
    )


PRIVATE = Sealed(
    version="toy-v1",
    secret=bytes(random.Random(1).randbytes(32)),
    salt=bytes(random.Random(2).randbytes(32)),
    data_secret=bytes(random.Random(3).randbytes(32)),
    beacon=None,
    recipients=(),
    recipe={},
    lines=tuple(line(place, "private") for place in range(5)),
)
PUBLIC = [replace(PRIVATE, lines=(line(place, "public"),)).items[0] for place in range(50)]
SEARCH = Search([PRIVATE], Known.of(PUBLIC), ["EXCEPTION-CANARY-77", "RESPONSE CANARY 78"])
ITEM = PRIVATE.items[2]


def zipped(data: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("inner/name.txt", data)
    return b"some bytes before" + file.getvalue()


def as_json(data: bytes) -> bytes:
    return json.dumps({"a": [data.decode("latin-1")]}).encode()


def as_html(data: bytes) -> bytes:
    return f"<p title='x'>{html.escape(data.decode('latin-1'))}</p>".encode("latin-1")


WRAPPINGS: dict[str, Callable[[bytes], bytes]] = {
    "clear": lambda data: data,
    "json": as_json,
    "json in json": lambda data: as_json(as_json(data)),
    "html": as_html,
    "json in an html attribute": lambda data: as_html(as_json(data)),
    "entities": lambda data: "".join(f"&#{byte};" for byte in data).encode(),
    "base64+0": base64.b64encode,
    "base64+1": lambda data: base64.b64encode(b"-" + data + b"--"),
    "base64+2": lambda data: base64.b64encode(b"--" + data + b"-"),
    "base64, after letters": lambda data: b"abc" + base64.b64encode(data),
    "base64 for addresses": base64.urlsafe_b64encode,
    "base64 in lines": base64.encodebytes,
    "hex": lambda data: data.hex().encode(),
    "upper hex": lambda data: data.hex().upper().encode(),
    "percent": lambda data: urllib.parse.quote_from_bytes(data, safe="").encode(),
    "list of bytes": lambda data: json.dumps(list(data)).encode(),
    "utf-16": lambda data: data.decode("latin-1").encode("utf-16"),
    "python bytes": lambda data: repr(data).encode(),
    "gzip": gzip.compress,
    "gzip inside": lambda data: b"\x00\x01header" + gzip.compress(data) + b"trailer",
    "zlib": zlib.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "zip": zipped,
    "base64 of gzip in json": lambda data: as_json(base64.b64encode(gzip.compress(data))),
    "gzip of zip of html": lambda data: gzip.compress(zipped(as_html(data))),
}
TEXTS: dict[str, tuple[str, bytes]] = {
    "prompt": ("prompt", ITEM.prompt.encode("ascii", "ignore")),
    "eight tokens": ("prompt", " ".join(ITEM.prompt.split()[12:20]).encode()),
    "parameter line": ("parameters", canonical_bytes(ITEM.params)),
    "item id": ("item id", ITEM.id.encode()),
    "canary of the version": ("canary", canary(PRIVATE.secret).encode()),
    "planted canary": ("canary", b"xx EXCEPTION-CANARY-77 yy"),
    "secret": ("secret", b"..." + PRIVATE.secret + b"..."),
    "secret in hex": ("secret", PRIVATE.secret.hex().encode()),
}


@pytest.mark.parametrize("wrapping", WRAPPINGS)
@pytest.mark.parametrize("text", TEXTS)
def test_each_is_found_in_each_wrapping(text: str, wrapping: str) -> None:
    kind, data = TEXTS[text]
    if text == "secret" and ("html" in wrapping or wrapping in ("json", "json in json", "entities", "utf-16")):
        pytest.skip("raw bytes are not text")
    found = SEARCH.file("f", b"Before it. \n" + WRAPPINGS[wrapping](data) + b"\nAfter it.\n")
    assert kind in {one.kind for one in found}, found
    if kind in ("prompt", "parameters", "item id"):
        assert {one.what for one in found if one.kind == kind} == {"item 3 of toy-v1"}


@pytest.mark.parametrize("name", ["secret", "salt", "data_secret", "data_key"])
def test_a_secret_is_found_in_every_encoding(name: str) -> None:
    secret: bytes = getattr(PRIVATE, name)
    padded = [bytes(shift) + secret + bytes(more) for shift in range(5) for more in range(3)]
    encodings = [
        secret,
        secret.hex().encode(),
        secret.hex().upper().encode(),
        str(int.from_bytes(secret, "big")).encode(),
        str(int.from_bytes(secret, "little")).encode(),
        json.dumps(list(secret)).encode(),
        *(base64.b64encode(text) for text in padded),
        *(base64.urlsafe_b64encode(text) for text in padded),
        *(base64.b32encode(text) for text in padded),
    ]
    for text in encodings:
        for there in (b"=" + text + b";", b'"' + text + b'"', b"seed: " + text[: len(text) // 2 + 6]):
            if text == secret and there.startswith(b"seed"):
                continue
            found = SEARCH.file("f", there)
            assert "secret" in {one.kind for one in found}, (name, len(text), there[:6])


def test_what_is_public_is_passed_over() -> None:
    for item in PUBLIC:
        text = item.prompt + "\n" + item.id + canonical_bytes(item.params).decode()
        assert SEARCH.file("f", text.encode()) == []
    assert SEARCH.file("f", f"{TEMPLATE}: how large is it? Answer and stop now.".encode()) == []


def test_a_finding_names_place_and_kind_and_no_text() -> None:
    (found,) = SEARCH.file("site/page.html", b"0123456789 " + ITEM.id.encode())
    assert found.file == "site/page.html"
    assert found.position == 11 + len(ITEM.id) - 12
    assert (found.kind, found.what) == ("item id", "item 3 of toy-v1")
    everything = SEARCH.file("f", gzip.compress(b"\n".join(PRIVATE.lines)))
    assert len({one.what for one in everything}) == 5
    shown = json.dumps([one.to_json() for one in everything])
    for private in (ITEM.id, ITEM.id[-12:], *ITEM.params["nodes"], PRIVATE.secret.hex()):
        assert private not in shown


def test_text_is_found_in_whatever_it_is_set() -> None:
    words = ITEM.prompt.split()[12:26]
    for mark in ("</td><td>", " | ", "\n> ", "</span> <span class='x'>", "&nbsp;", "\t"):
        assert {one.kind for one in SEARCH.file("f", mark.join(words).encode())} == {"prompt"}, mark
    assert SEARCH.file("f", " ".join(words).upper().encode())
    pretty = json.dumps(ITEM.params, indent=4).encode()
    assert {one.kind for one in SEARCH.file("f", pretty)} == {"parameters"}


def test_a_parameter_line_of_public_windows_is_found_whole_only() -> None:
    """Where no window of an item's parameters is its own, the whole line still is."""
    names = [f"node{letter}" for letter in "abcdefghijkl"]
    private, *public = (
        with_params({"nodes": nodes}) for nodes in (names, [*names[:10], "other"], ["another", *names[1:]])
    )
    search = Search([private], Known.of(sealed.items[0] for sealed in public))
    assert len(search.params.hashes) == 0
    assert {found.kind for found in search.file("f", canonical_bytes({"nodes": names}))} == {"parameters"}
    for sealed in public:
        assert search.file("f", canonical_bytes(sealed.items[0].params)) == []


def test_what_cannot_be_opened_is_a_finding() -> None:
    assert [one.kind for one in SEARCH.file("f", b"7z\xbc\xaf'\x1c" + bytes(40))] == [UNREAD]
    bomb = zlib.compress(bytes(1 << 30))
    assert UNREAD in {one.kind for one in SEARCH.file("f", bomb)}
    nested = ITEM.prompt.encode("ascii", "ignore")
    for _ in range(12):
        nested = gzip.compress(nested)
    assert {one.kind for one in SEARCH.file("f", nested)} & {UNREAD, "prompt"}


def test_hostile_files_end() -> None:
    for data in (b"\\" * 200_000, b"&" * 200_000, b"<" * 200_000, b"%41" * 60_000, b"A" * 300_000, b"1," * 100_000):
        assert len(list(layers(data))) < 200


def test_windows_are_the_same_wherever_a_text_stands() -> None:
    """Against plain Python: every run of eight tokens, as text, has one hash, and another run another."""
    draw = random.Random(5)
    text = " ".join(draw.choice(["a", "ab", "ba", "b", "aa", "7", "77", "x1"]) for _ in range(3000))
    plain = text.split()
    found = windows(tokens(("~" * 17 + text.replace(" ", "--")).encode()).hashes)
    expected: dict[int, tuple[str, ...]] = {}
    for place, value in enumerate(found.tolist()):
        run = tuple(plain[place : place + WIDTH])
        assert expected.setdefault(value, run) == run
    assert len(expected) == len({tuple(plain[p : p + WIDTH]) for p in range(len(plain) - WIDTH + 1)})


def test_nothing_known_means_every_window_counts() -> None:
    assert Search([PRIVATE], NOTHING).windows > SEARCH.windows

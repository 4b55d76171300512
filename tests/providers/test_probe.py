"""`doctor --providers` shows what came back from each entrant, and why nothing did."""

from pathlib import Path

from benchpress_evaluator.probe import probe
from fake_http import serve
from harness import always, entrant_of
from wire import WIRES


def test_every_vendor_is_asked_once_and_told_field_by_field(tmp_path: Path) -> None:
    for wire in WIRES.values():
        with serve(always(wire, wire.success("yes"))) as server:
            (found,) = probe([entrant_of(wire, server)], wire.keys)
        assert len(server.seen) == 1
        told = found.completion
        assert told is not None
        assert (told.text, told.input_tokens, told.output_tokens) == ("yes", 100, 50)
        assert (told.latency_s or 0) > 0
        assert told.native_config["model"] == wire.model
        assert found.cost_usd is None


def test_one_entrant_that_fails_does_not_hide_the_others(tmp_path: Path) -> None:
    wire = WIRES["openai_chat"]
    with serve(always(wire, wire.success("yes"))) as server:
        good = entrant_of(wire, server, id="good")
        unknown = entrant_of(wire, server, id="unknown", model="other")
        keyless = entrant_of(wire, server, id="keyless", api_key_env="NO_SUCH_KEY")
        absent = entrant_of(wire, server, id="absent", base_url="http://127.0.0.1:9/v1")
        odd = entrant_of(wire, server, id="odd", provider="nobody")
        found = {one.entrant: one.problem for one in probe([good, unknown, keyless, absent, odd], wire.keys)}
    assert found["good"] is None
    assert "HTTP 404" in (found["unknown"] or "")
    assert "NO_SUCH_KEY" in (found["keyless"] or "")
    assert "connection failed" in (found["absent"] or "")
    assert "unknown provider 'nobody'" in (found["odd"] or "")

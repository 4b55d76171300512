"""Every parser of outside input over its seeds and a fixed set of bent inputs; what was found stays found."""

import pytest
from fuzz_targets import TARGETS
from fuzzing import OpenFault, fault_of, inputs, known
from open_faults import OPEN


@pytest.mark.parametrize("name", TARGETS)
def test_a_parser_keeps_its_contract_whatever_it_is_given(name: str) -> None:
    target = TARGETS[name]
    for data in inputs(target, target.rounds):
        found = fault_of(target, data)
        assert found is None or known(found, name, OPEN), f"{found}: {data[:500]!r}"


@pytest.mark.parametrize("one", OPEN, ids=lambda one: f"{one.target}-{one.kind}-{one.where}")
def test_an_open_fault_is_still_there(one: OpenFault) -> None:
    found = fault_of(TARGETS[one.target], one.data)
    assert found is not None, "it is mended: take it out of open_faults.py"
    assert known(found, one.target, [one]), f"it is another fault now: {found}"

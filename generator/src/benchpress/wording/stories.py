"""Cover stories: five refusal-neutral domains, each with settings, quantities and yes/no events.

Names are plain noun phrases without commas or conjunctions, so that a printed list can be read back.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from benchpress.streams import Stream


@dataclass(frozen=True, slots=True)
class Domain:
    """Where a story plays: whole opening sentences, names of quantities, names of yes/no events."""

    name: str
    settings: tuple[str, ...]
    quantities: tuple[str, ...]
    events: tuple[str, ...]


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(";"))


DOMAINS: tuple[Domain, ...] = (
    Domain(
        "logistics",
        (
            "A parcel company studies the figures of its regional depots.",
            "A freight forwarder compares the weeks of its rail terminal.",
            "A grocery wholesaler looks at a year of deliveries to its shops.",
            "A port operator reviews the daily records of a container yard.",
            "A furniture retailer examines the trips of its delivery vans.",
            "A postal service analyses the sorting centres in its network.",
            "A spare-parts distributor goes through the logs of its warehouse.",
            "A ferry line reviews the crossings of the last two seasons.",
        ),
        _names(
            "order backlog; route length; loading time; fuel use; van occupancy; driver experience; stop count;"
            "parcel volume; depot staffing; pallet stock; dock waiting time; sorting speed; overtime hours;"
            "delivery delay; return rate; packaging cost; shelf space; fleet age; traffic density; forecast error;"
            "picking time; handling cost; container dwell time; crane usage; booking lead time; shipment weight;"
            "customs paperwork; fuel price; tariff level; scan coverage; idle time; transfer count; cargo mix;"
            "carrier rating; rail capacity; yard occupancy"
        ),
        _names(
            "express label; late departure; full trailer; night shift loading; rush order; missing scan;"
            "priority lane; damaged pallet; on-time arrival; weekend pickup; bonded storage; split shipment;"
            "route change; backup driver; early cutoff; fragile label; bulk discount; dock closure; second attempt;"
            "signed receipt; insured freight; ferry crossing; new carrier; oversize load"
        ),
    ),
    Domain(
        "manufacturing",
        (
            "A maker of kitchen appliances studies its assembly lines.",
            "A furniture factory reviews the records of its workshops.",
            "A glass producer compares the shifts of one of its furnaces.",
            "A bicycle maker looks at the batches of the past year.",
            "A paper mill examines the daily log of its machines.",
            "A toolmaker analyses the jobs that passed through its plant.",
            "A producer of ceramic tiles goes through its kiln records.",
            "A printer of packaging compares the runs of its presses.",
        ),
        _names(
            "line speed; machine age; scrap rate; setup time; batch size; operator training; tool wear;"
            "furnace temperature; inspection time; rework hours; energy use; material cost; unit weight;"
            "cycle time; maintenance budget; order size; paint thickness; surface finish; coolant flow;"
            "supplier rating; stock of parts; shift length; idle minutes; packing speed; calibration drift;"
            "humidity in the hall; vibration level; throughput; lead time; customer complaints; mould age;"
            "glue consumption; cutting depth; press force; sheet thickness; warranty cost"
        ),
        _names(
            "new supplier; extra inspection; machine upgrade; rush job; night shift; recycled input; passed check;"
            "late start; manual setup; warm restart; fresh coating; spare tool; returned unit; trained operator;"
            "double polishing; sensor alarm; long changeover; premium steel; short batch; reworked unit;"
            "customer claim; second firing; trial run; thick glaze"
        ),
    ),
    Domain(
        "agriculture",
        (
            "A farming cooperative compares the fields of its members.",
            "An orchard company reviews the seasons of its apple rows.",
            "A vegetable grower studies the records of its greenhouses.",
            "A vineyard association looks at the plots along one valley.",
            "A grain trader examines the deliveries of its growers.",
            "A dairy cooperative analyses the accounts of its farms.",
            "A flower grower goes through the logs of its glasshouses.",
            "A seed company compares the trial plots of one summer.",
        ),
        _names(
            "rainfall; irrigation hours; soil moisture; fertiliser input; sowing depth; field size; row spacing;"
            "harvest weight; straw cover; sunshine hours; drainage quality; tractor hours; labour input;"
            "storage losses; market price; seed quality; slope of the field; crop density; fuel bill;"
            "ripening time; sugar content; fruit size; mulch depth; wind exposure; pruning effort; feed cost;"
            "pasture quality; milk price; hay stock; greenhouse heating; shading; transport distance;"
            "harvest date; compost share; weed cover; water price"
        ),
        _names(
            "drip irrigation; early sowing; wet spring; organic label; new variety; late harvest; hail net;"
            "cover crop; contract sale; leased field; deep ploughing; high yield; dry summer; shared tractor;"
            "cold storage; hand picking; premium grade; extra pruning; south slope; rotation break;"
            "greenhouse start; direct sale; clay soil; frost cover"
        ),
    ),
    Domain(
        "education",
        (
            "A school district compares the classes of one grade.",
            "A language school reviews the courses of the past year.",
            "A university department studies its first-year modules.",
            "A training provider looks at the groups it has taught.",
            "A tutoring service examines the records of its learners.",
            "An online course platform analyses its autumn cohort.",
            "A library network goes through the figures of its branches.",
            "A music school compares the terms of its ensembles.",
        ),
        _names(
            "group size; homework hours; reading time; teacher experience; attendance rate; test score;"
            "course fee; commuting time; library visits; practice sessions; tutoring hours; feedback frequency;"
            "workload; seat distance; forum activity; video minutes; quiz score; course rating; drop-out rate;"
            "study motivation; prior knowledge; group work share; lesson length; exam difficulty; material quality;"
            "family income; scholarship amount; room quality; preparation time; assignment count; typing speed;"
            "final grade; mentor contact; schedule density; course length; laptop age"
        ),
        _names(
            "evening course; extra tutoring; passed exam; small class; scholarship; remote lessons; group project;"
            "prior course; printed textbook; early enrolment; weekly quiz; mentor support; study circle;"
            "long commute; new curriculum; summer school; peer review; completed course; recorded lecture;"
            "part-time job; open-book test; second language; graded homework; library card"
        ),
    ),
    Domain(
        "marketing",
        (
            "An online shop studies the campaigns of the last quarter.",
            "A travel agency reviews the weeks of its booking site.",
            "A publisher compares the launches of its magazines.",
            "A coffee brand looks at the figures of its sales regions.",
            "A furniture chain examines the visits to its web shop.",
            "A streaming service analyses the sign-ups of one spring.",
            "A garden centre goes through the results of its flyers.",
            "A toy maker compares the stores that carry its products.",
        ),
        _names(
            "ad spending; page views; click rate; discount depth; basket size; brand awareness; email frequency;"
            "newsletter openings; delivery fee; product rating; review count; search rank; banner size;"
            "session length; repeat purchases; store traffic; shelf position; price level; competitor price;"
            "loyalty points; coupon use; call volume; page load time; return share; sales volume; customer age;"
            "seasonal demand; social mentions; landing page length; trial sign-ups; subscription length;"
            "flyer circulation; display width; sales staffing; stock level; margin"
        ),
        _names(
            "coupon sent; email opened; repeat order; free shipping; new customer; ad seen; newsletter sign-up;"
            "premium plan; mobile visit; price alert; bundle offer; gift wrapping; loyalty card; trial started;"
            "survey answered; banner clicked; store visit; early access; referral link; abandoned basket;"
            "seasonal offer; chat contact; paid search; renewal"
        ),
    ),
)

SYMBOLS: tuple[str, ...] = tuple("ABCDEFGHJKLMNPQRSTUVW")
"""Bare node names of the transfer variant: single capitals that no one mistakes for a digit or a pronoun."""


@dataclass(frozen=True, slots=True)
class Cast:
    """A drawn story: its opening sentence (empty for a bare formal problem) and enough names."""

    opening: str
    names: tuple[str, ...]


def cast(stream: Stream, count: int, *, formal: bool, events: bool = False) -> Cast:
    """Draw a setting and `count` distinct names; bare symbols where `formal`, yes/no events where `events`."""
    if formal:
        return Cast("", tuple(stream.sample(SYMBOLS, count)))
    domain = stream.choice(DOMAINS)
    pool: Sequence[str] = domain.events if events else domain.quantities
    return Cast(stream.choice(domain.settings), tuple(stream.sample(pool, count)))

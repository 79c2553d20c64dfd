"""Packet captures (pcap and pcapng, as tcpdump and Wireshark write them): each TCP connection's bytes, in order."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any, Final

import attrs

from poker_actors.errors import BadInput, from_extra
from poker_actors.wire.opp.protocol.messages import HEADER, Op, Side

_MAGIC: Final = frozenset(
    bytes.fromhex(text) for text in ("a1b2c3d4", "d4c3b2a1", "a1b23c4d", "4d3cb2a1", "0a0d0d0a")
)
"""How pcap (microseconds and nanoseconds, in either byte order) and pcapng begin."""
_WRAP: Final = 2**32
"""TCP numbers its bytes by 32 bits."""
_SYN, _ACK = 2, 16

Address = tuple[bytes, int]
"""(IP address, port)"""


@attrs.frozen
class Piece:
    """Bytes that one side of a connection sent next; `lost` says why bytes before them are missing."""

    session: int
    sender: Side
    data: bytes
    lost: str = ""


def is_packets(data: bytes) -> bool:
    """Whether this is a packet capture."""
    return data[:4] in _MAGIC


def pieces(data: bytes) -> Iterator[Piece]:
    """Yield the bytes of all TCP connections, in the order of their packets; bytes sent twice come once.

    The client is the side that opened the connection or, if the opening is not captured, that first sends a client's
    message: JOIN_GAME, ACTION or PONG. Raises `BadInput` for a file that cannot be read, `MissingExtra` without dpkt.
    """
    all_of_them: list[_Connection] = []
    latest: dict[frozenset[Address], _Connection] = {}
    for source, target, tcp in _segments(data):
        opens = tcp.flags & (_SYN | _ACK) == _SYN
        key = frozenset((source, target))
        if key not in latest or (opens and latest[key].client != source):
            latest[key] = _Connection(len(all_of_them) + 1, source if opens else None)
            all_of_them.append(latest[key])
        yield from latest[key].take(source, tcp)
    for connection in all_of_them:
        yield from connection.rest()


def _segments(data: bytes) -> Iterator[tuple[Address, Address, Any]]:
    """Yield the source, the target and dpkt's TCP segment of each packet that has one."""
    with from_extra("packets", "dpkt"):
        import dpkt
    packets: list[bytes] = []
    outer: Any = None
    try:
        reader = dpkt.pcap.UniversalReader(io.BytesIO(data))
        outer = _outer(dpkt, reader.datalink())
        for _, packet in reader:
            packets.append(packet)
    except (ValueError, dpkt.Error) as error:
        if not packets:  # else it breaks off within a packet, as a capture does whose program was killed
            raise BadInput(f"the packet capture cannot be read: {error}") from None
    for packet in packets:
        try:
            inner = outer(packet)
        except (dpkt.Error, ValueError, IndexError):  # a packet cut short, or of another kind
            continue
        while not isinstance(inner, dpkt.ip.IP | dpkt.ip6.IP6) and hasattr(inner, "data"):
            inner = inner.data
        tcp = getattr(inner, "data", None)
        if isinstance(tcp, dpkt.tcp.TCP):
            yield (inner.src, tcp.sport), (inner.dst, tcp.dport), tcp


def _outer(dpkt: Any, link: int) -> Any:
    """Return the parser of a link's packets; raises `BadInput` for a link that carries no IP."""
    kinds = {
        dpkt.pcap.DLT_EN10MB: dpkt.ethernet.Ethernet,
        dpkt.pcap.DLT_LINUX_SLL: dpkt.sll.SLL,
        dpkt.pcap.DLT_LINUX_SLL2: dpkt.sll2.SLL2,
        dpkt.pcap.DLT_NULL: dpkt.loopback.Loopback,
        dpkt.pcap.DLT_LOOP: dpkt.loopback.Loopback,
    }
    if link in (dpkt.pcap.DLT_RAW, 101, dpkt.pcap.DLT_IPV4, dpkt.pcap.DLT_IPV6):  # 101: LINKTYPE_RAW
        return lambda packet: (dpkt.ip6.IP6 if packet[0] >> 4 == 6 else dpkt.ip.IP)(packet)
    if link not in kinds:
        raise BadInput(f"the packets are of link type {link}, not Ethernet, Linux cooked, loopback or raw IP")
    return kinds[link]


class _Connection:
    """One TCP connection: what both sides sent, put in order."""

    def __init__(self, session: int, client: Address | None) -> None:
        self._session = session
        self.client = client
        self._streams: dict[Address, _Stream] = {}

    def take(self, source: Address, tcp: Any) -> Iterator[Piece]:
        stream = self._streams.setdefault(source, _Stream())
        for data in stream.take(tcp.seq, bool(tcp.flags & _SYN), bytes(tcp.data)):
            yield from self._piece(source, data)

    def rest(self) -> Iterator[Piece]:
        """Yield what follows bytes that are missing from the capture."""
        for address, stream in self._streams.items():
            for missing, data in stream.rest():
                lost = f"{missing} bytes are not in the capture" if missing else ""
                yield from self._piece(address, data, lost)

    def _piece(self, address: Address, data: bytes, lost: str = "") -> Iterator[Piece]:
        if self.client is None:
            first = HEADER.unpack_from(data)[0] if len(data) >= HEADER.size else None
            if first in (Op.JOIN_GAME, Op.ACTION, Op.PONG):
                self.client = address
        sender = Side.CLIENT if address == self.client else Side.SERVER
        yield Piece(self._session, sender, data, lost)


class _Stream:
    """One direction: segments may come twice, overlap, or overtake each other."""

    def __init__(self) -> None:
        self._next: int | None = None
        self._waiting: dict[int, bytes] = {}

    def take(self, number: int, opens: bool, data: bytes) -> Iterator[bytes]:
        """Take a segment whose first byte has a number; a SYN that opens this direction counts as a byte before it."""
        if opens:
            number = self._next = (number + 1) % _WRAP
            self._waiting.clear()
        elif self._next is None:
            self._next = number
        if len(self._waiting.get(number, b"")) < len(data):
            self._waiting[number] = data
        while (ready := self._ready()) is not None:
            yield ready

    def rest(self) -> Iterator[tuple[int, bytes]]:
        while self._waiting:
            start = min(self._waiting, key=self._ahead)
            missing, self._next = self._ahead(start), start
            while (data := self._ready()) is not None:
                yield missing, data
                missing = 0

    def _ready(self) -> bytes | None:
        """Return the next bytes if they have arrived, and drop bytes already yielded."""
        for number, data in sorted(self._waiting.items(), key=lambda item: self._ahead(item[0])):
            behind = -self._ahead(number)
            if behind < 0:
                return None
            del self._waiting[number]
            if behind < len(data):
                assert self._next is not None
                self._next = (number + len(data)) % _WRAP
                return data[behind:]
        return None

    def _ahead(self, number: int) -> int:
        """How many bytes after the next byte a byte is; negative if before it; sequence numbers may wrap."""
        assert self._next is not None
        return (number - self._next + _WRAP // 2) % _WRAP - _WRAP // 2

"""Captures made readable, whatever is in them; passwords hidden."""

import asyncio
from pathlib import Path

import pytest

from poker_actors.cli import main
from poker_actors.errors import BadInput
from poker_actors.wire.opp import Analyser, Finding, Op, Proxy, Side, encode, message, read_capture

JOIN = encode(message(Op.JOIN_GAME, "ann", "secret", 1, "x"))
START = encode(message(Op.START_NEW_GAME, 10, 2, 0, -1, 7, (("ann", -5, 0), ("bob", 5, 0))))


def texts(findings: list[Finding]) -> list[str]:
    return [each.text() for each in findings]


def test_a_raw_stream_is_read_as_the_side_that_it_begins_like() -> None:
    assert texts(list(read_capture(JOIN))) == [
        ">       0  JOIN_GAME user='ann' password='***' version=1 program='x'"
    ]
    assert texts(list(read_capture(START))) == [
        "<       0  START_NEW_GAME bet_size=10 num_players=2 button=0 position=-1 game_id=7 players=['ann' -5 0; 'bob' 5 0]"
    ]


def test_lines_of_hex_are_read_by_side_with_a_message_across_lines() -> None:
    capture = f"# a session\n> {JOIN[:10].hex()}\n< {START.hex()}  # hello\n> {JOIN[10:].hex(' ')}\n"
    found = list(read_capture(capture.encode()))
    assert [(each.sender, each.message and each.message.op) for each in found] == [
        (Side.SERVER, Op.START_NEW_GAME),
        (Side.CLIENT, Op.JOIN_GAME),
    ]


def test_what_cannot_be_read_is_shown_as_bytes_and_the_reading_goes_on() -> None:
    stream = b"\0\0\0\x63\0\0\0\2ab" + encode(message(Op.PING)) + b"\0\0\0\1\0\0\0\3abc" + b"\0\0"
    analyser = Analyser(Side.SERVER)
    shown = texts([*analyser.feed(stream), *analyser.finish()])
    assert shown == [
        "<       0  ? id 99, 2 bytes: 6162",
        "<      10  PING",
        "<      18  ? byte 26: CALL: who needs 4 bytes, 3 are left in 616263",
        "<      29  ? 2 bytes of a message cut off: 0000",
    ]


def test_after_a_length_that_cannot_be_there_is_no_way_on() -> None:
    analyser = Analyser(Side.SERVER)
    shown = texts(
        [*analyser.feed(b"\0\0\0\1\x7f\xff\xff\xff" + encode(message(Op.PING))), *analyser.finish()]
    )
    assert shown == [
        "<       0  ? id 1 of 2147483647 bytes: a message has 0 to 65536; lost from here",
    ]


def test_an_empty_capture_is_refused() -> None:
    with pytest.raises(BadInput, match="empty"):
        list(read_capture(b" \n"))


def test_a_line_that_is_not_hexadecimal_ends_its_side_alone() -> None:
    found = list(read_capture(b"> 00\n< zz\n< 0000001500000000\n2< 0000001500000000\nwhat\n"))
    assert [finding.trouble for finding in found if finding.sender is Side.SERVER and finding.trouble] == [
        "? line 2 is not hexadecimal: 'zz'; lost from here",
        "? line 5 is not a line of a capture: 'what'",
    ]
    assert [(finding.session, str(finding.message)) for finding in found if finding.message] == [
        (2, "GOODPASS")
    ]


def test_a_proxy_passes_everything_on_and_hears_both_sides(runner: asyncio.Runner) -> None:
    heard: list[tuple[int, Side, bytes]] = []

    async def session() -> bytes:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(START if await reader.readexactly(len(JOIN)) == JOIN else b"")
            await writer.drain()
            writer.close()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        proxy = Proxy("127.0.0.1", port, lambda *each: heard.append(each))
        await proxy.start("127.0.0.1", 0)
        reader, writer = await asyncio.open_connection(*proxy.address)
        writer.write(JOIN)
        answer = await reader.read()
        writer.close()
        await proxy.close()
        server.close()
        return answer

    assert runner.run(session()) == START
    assert b"".join(data for _, side, data in heard if side is Side.CLIENT) == JOIN
    assert b"".join(data for _, side, data in heard if side is Side.SERVER) == START
    assert {number for number, _, _ in heard} == {1}


def test_the_command_shows_a_capture_and_its_password_only_when_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capture = tmp_path / "session.hex"
    capture.write_text(f"> {JOIN.hex()}\n", encoding="ascii")
    assert main(["opp", "dump", str(capture)]) == 0
    assert "password='***'" in capsys.readouterr().out
    assert main(["opp", "dump", str(capture), "--passwords"]) == 0
    assert "password='secret'" in capsys.readouterr().out
    assert main(["opp", "dump", str(capture), "--json", "-"]) == 0
    assert '"password": "***"' in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        ["opp", "dump", "nowhere.hex"],
        ["opp", "dump", "127.0.0.1:port"],
        ["opp", "dump", "127.0.0.1:99999"],
        ["serve", "--opp", "here"],
        ["serve", "--opp", "127.0.0.1:0", "--tables", "0"],
        ["serve", "--opp", "127.0.0.1:0", "--bet", "1"],
        ["serve", "--opp", "127.0.0.1:0", "--turn-seconds", "0"],
        ["opp", "client", "127.0.0.1:1", "--user", "ann", "--hands", "5"],
        ["opp", "client", "127.0.0.1:1", "--user", "ann", "--bot", "tight", "--hands", "0"],
        ["opp", "client", "127.0.0.1:1", "--user", "ann", "--bot", "nobody"],
        ["opp", "client", "nowhere", "--user", "ann", "--bot", "tight"],
    ],
)
def test_wrong_arguments_are_one_line_and_status_2(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1


def test_what_is_lost_is_said_once_and_lines_without_anything_are_none() -> None:
    found = list(read_capture(b"\n< zz\n \n< yy\n> 0000001400000000\n\n\n\n"))
    assert [finding.trouble for finding in found if finding.sender is Side.SERVER] == [
        "? line 2 is not hexadecimal: 'zz'; lost from here"
    ]
    assert found[0].to_dict() == {"op": None, "trouble": found[0].trouble}

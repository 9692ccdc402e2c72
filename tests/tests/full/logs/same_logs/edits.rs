//! Edits to a log, and the readers that refuse it afterwards.

use super::Reader;

/// Something that is done to a log.
#[derive(Clone, Copy)]
pub(crate) enum Edit {
    /// Changes as `tests::forging` reads them, after which it gets a new chain.
    Lines(&'static str),
    /// To its text.
    Text(fn(&str) -> String),
}
use Edit::{Lines, Text};

/// The readers that refuse it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expected {
    Accepted,
    /// All, with this in their errors.
    Refused(&'static str),
    /// Only these.
    RefusedBy(&'static [Reader], &'static str),
    /// Everybody but these.
    AcceptedBy(&'static [Reader], &'static str),
}
use Expected::{Accepted, AcceptedBy, Refused, RefusedBy};

impl Expected {
    /// The error of a reader, if it refuses the log.
    pub(crate) fn problem(self, reader: Reader) -> Option<&'static str> {
        match self {
            Accepted => None,
            Refused(problem) => Some(problem),
            RefusedBy(these, problem) => these.contains(&reader).then_some(problem),
            AcceptedBy(these, problem) => (!these.contains(&reader)).then_some(problem),
        }
    }
}

const WANT_THE_END: &[Reader] = &[Reader::Verify, Reader::VerifyTournament];

const WANT_ALL_GAMES: &[Reader] = &[Reader::Verify, Reader::VerifyTournament, Reader::Merge];

const DERIVE: &[Reader] =
    &[Reader::Verify, Reader::VerifyTournament, Reader::Export, Reader::Report];

/// What is done, and who refuses it. The lines are the header, three games or more, and the end.
pub(crate) const CASES: &[(&str, Expected, Edit)] = &[
    ("nothing", Accepted, Lines("")),
    ("no header", Refused("line 1 is not the header"), Lines("0 -")),
    ("the end alone", Refused("line 1 is not the header"), Lines("cut 0 end")),
    ("two headers", Refused("line 2 is a second header"), Lines("copy 0 0")),
    ("a header in the middle", Refused("line 3 is a second header"), Lines("copy 0 2")),
    ("a foreign format", Refused("line 1 has format 7"), Lines("0/format = 7")),
    ("a header of no game", Refused("line 1"), Lines("0/game = whist")),
    ("a header alone", RefusedBy(WANT_ALL_GAMES, ""), Lines("cut 1 after")),
    ("the first game missing", Refused("line 2, game "), Lines("1 -")),
    ("a game missing", Refused("line 3, game "), Lines("2 -")),
    ("two games swapped", Refused("line 2, game "), Lines("1 <> 2")),
    ("a game twice", Refused("line 3, game "), Lines("copy 1 2")),
    ("a wrong attempt", Refused("is attempt 1, expected attempt 0"), Lines("1/attempt = 1")),
    ("a wrong deal", Refused("line 2, game "), Lines("1/deal = 77")),
    ("a number beyond all", Refused("line 2, game 99, where"), Lines("1/number = 99")),
    ("a wrong name at a seat", Refused("seat 0 is not nobody's"), Lines("1/seats/0 = nobody")),
    ("two names swapped", Refused("seat 0 is not "), Lines("2/seats/0 <> 2/seats/1")),
    (
        "an answer after its limit",
        Refused("is `ok` after 1000000000 ms"),
        Lines("2/measured/0/ms = 1000000000.0"),
    ),
    (
        "an event that does not follow",
        RefusedBy(DERIVE, "event"),
        Lines("3/events/0 = out 0 crash"),
    ),
    ("a game after the end", Refused("comes after the end"), Lines("copy 1 after")),
    ("a header after the end", Refused("comes after the end"), Lines("copy 0 after")),
    ("a second end", Refused("comes after the end"), Lines("copy end after")),
    ("an end too early", Refused("ends after"), Lines("end-1 -")),
    ("an end before the last game", Refused("ends after"), Lines("end-1 <> end")),
    ("an end with a game too many", Refused("ends after"), Lines("end/games = 99")),
    (
        "wrong points",
        Refused("has points that do not match the games"),
        Lines("end/points/0 = 999"),
    ),
    ("points of nobody", Refused("has points that do not match"), Lines("end/points/0 *")),
    (
        "no seed, or one of a shard",
        Refused("must reveal the seed, and only"),
        Lines("end/seed ? 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"),
    ),
    ("no end", RefusedBy(WANT_THE_END, "is missing: the log stops after"), Lines("end -")),
    // A tournament with a plan and no whole line of a log is begun anew; for others, there is no log.
    ("empty", AcceptedBy(&[Reader::Journal], ""), Text(|_| String::new())),
    ("a torn header", AcceptedBy(&[Reader::Journal], ""), Text(|log| log[..99].to_owned())),
    (
        "a torn last line",
        RefusedBy(WANT_THE_END, "is truncated"),
        Text(|log| log[..log.len() - 9].to_owned()),
    ),
    (
        "a torn line in the middle",
        Refused("line 3 "),
        Text(|log| {
            let (before, after) = around(log, 3);
            format!("{}{after}", &before[..before.len() - 9])
        }),
    ),
    (
        "a line without its line feed",
        Refused("line 3 "),
        Text(|log| {
            let (before, after) = around(log, 3);
            format!("{}{after}", before.trim_end())
        }),
    ),
    (
        "a broken chain",
        Refused("line 3 does not follow the previous line"),
        Text(|log| format!("{}{}", around(log, 2).0, around(log, 3).1)),
    ),
    (
        "another line end",
        Refused("line 1 ends in a carriage return"),
        Text(|log| log.replace('\n', "\r\n")),
    ),
    (
        "a changed line",
        Refused("was modified"),
        Text(|log| log.replacen("\"deal\":", "\"deal\":1", 1)),
    ),
];

/// A log up to the end of a line, and what comes after it.
fn around(log: &str, line: usize) -> (&str, &str) {
    let length = log.split_inclusive('\n').take(line).map(str::len).sum();
    log.split_at(length)
}

//! Edits to a log, and the readers that refuse it afterwards.

use record::Line;
use rules::{GameRecord, Score, Verdict};
use series::header::CommittedSeed;
use series::{End, Header};

use super::Reader;

/// A log as its lines.
pub(crate) type Lines = Vec<Line>;

/// Something that is done to a log.
#[derive(Clone, Copy)]
pub(crate) enum Edit {
    /// To its lines, which get a new chain.
    Lines(fn(&mut Lines)),
    /// To its text.
    Text(fn(&str) -> String),
}

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

impl Expected {
    /// The error of a reader, if it refuses the log.
    pub(crate) fn problem(self, reader: Reader) -> Option<&'static str> {
        match self {
            Expected::Accepted => None,
            Expected::Refused(problem) => Some(problem),
            Expected::RefusedBy(these, problem) => these.contains(&reader).then_some(problem),
            Expected::AcceptedBy(these, problem) => (!these.contains(&reader)).then_some(problem),
        }
    }
}

/// A line of the table.
pub(crate) struct Case {
    pub(crate) what: &'static str,
    pub(crate) edit: Edit,
    pub(crate) expected: Expected,
}

const WANT_THE_END: &[Reader] = &[Reader::Verify, Reader::VerifyTournament];

const WANT_ALL_GAMES: &[Reader] = &[Reader::Verify, Reader::VerifyTournament, Reader::Merge];

const DERIVE: &[Reader] =
    &[Reader::Verify, Reader::VerifyTournament, Reader::Export, Reader::Report];

fn lines(what: &'static str, expected: Expected, edit: fn(&mut Lines)) -> Case {
    Case { what, edit: Edit::Lines(edit), expected }
}

fn text(what: &'static str, expected: Expected, edit: fn(&str) -> String) -> Case {
    Case { what, edit: Edit::Text(edit), expected }
}

/// The lines are the header, three games or more, and the end.
pub(crate) fn cases() -> Vec<Case> {
    [headers(), games(), ends(), texts()].into_iter().flatten().collect()
}

fn headers() -> Vec<Case> {
    vec![
        lines("nothing", Expected::Accepted, |_| {}),
        lines("no header", Expected::Refused("line 1 is not the header"), |log| {
            drop(log.remove(0))
        }),
        lines("the end alone", Expected::Refused("line 1 is not the header"), |log| {
            log.drain(..log.len() - 1);
        }),
        lines("two headers", Expected::Refused("line 2 is a second header"), |log| {
            log.insert(0, log[0].clone());
        }),
        lines("a header in the middle", Expected::Refused("line 3 is a second header"), |log| {
            log.insert(2, log[0].clone());
        }),
        lines("a foreign format", Expected::Refused("line 1 has format 7"), |log| {
            header(log).format = 7
        }),
        lines("a header of no game", Expected::Refused("line 1"), |log| {
            header(log).game = "whist".into()
        }),
        lines("a header alone", Expected::RefusedBy(WANT_ALL_GAMES, ""), |log| {
            log.truncate(1);
        }),
    ]
}

fn games() -> Vec<Case> {
    vec![
        lines("the first game missing", Expected::Refused("line 2, game "), |log| {
            drop(log.remove(1))
        }),
        lines("a game missing", Expected::Refused("line 3, game "), |log| drop(log.remove(2))),
        lines("two games swapped", Expected::Refused("line 2, game "), |log| log.swap(1, 2)),
        lines("a game twice", Expected::Refused("line 3, game "), |log| {
            log.insert(2, log[1].clone())
        }),
        lines("a wrong attempt", Expected::Refused("is attempt 1 at it, expected 0"), |log| {
            game(log, 1).attempt = 1;
        }),
        lines("a wrong deal", Expected::Refused("line 2, game "), |log| game(log, 1).deal += 1),
        lines("a number beyond all", Expected::Refused("line 2, game 99, where"), |log| {
            game(log, 1).game = 99;
        }),
        lines("a wrong name at a seat", Expected::Refused("seat 0 is not nobody's"), |log| {
            game(log, 1).seats[0] = "nobody".into();
        }),
        lines("two names swapped", Expected::Refused("seat 0 is not "), |log| {
            game(log, 2).seats.swap(0, 1);
        }),
        lines(
            "an answer after its limit",
            Expected::Refused("is `ok` after 1000000000 ms"),
            |log| {
                let game = game(log, 2);
                let place = game.answers().position(|(answer, _)| answer.verdict == Verdict::Ok);
                game.measured[place.expect("an answer")].ms = 1e9;
            },
        ),
        lines("an event that does not follow", Expected::RefusedBy(DERIVE, "event"), |log| {
            game(log, 3).events[0] = "out 0 crash".into();
        }),
    ]
}

fn ends() -> Vec<Case> {
    vec![
        lines("a game after the end", Expected::Refused("comes after the end"), |log| {
            log.push(log[1].clone());
        }),
        lines("a header after the end", Expected::Refused("comes after the end"), |log| {
            log.push(log[0].clone());
        }),
        lines("a second end", Expected::Refused("comes after the end"), |log| {
            log.extend(log.last().cloned());
        }),
        lines("an end too early", Expected::Refused("ends after"), |log| {
            drop(log.remove(log.len() - 2));
        }),
        lines("an end before the last game", Expected::Refused("ends after"), |log| {
            let last = log.len() - 1;
            log.swap(last - 1, last);
        }),
        lines("an end with a game too many", Expected::Refused("ends after"), |log| {
            end(log).games += 1
        }),
        lines("wrong points", Expected::Refused("has points that do not match the games"), |log| {
            end(log).points[0] += Score::points(1);
        }),
        lines("points of nobody", Expected::Refused("has points that do not match"), |log| {
            end(log).points.push(Score::ZERO);
        }),
        lines(
            "no seed, or one of a shard",
            Expected::Refused("must reveal the seed, and only"),
            |log| {
                end(log).seed = match end(log).seed {
                    Some(_) => None,
                    None => Some(own_seed()),
                };
            },
        ),
        lines(
            "no end",
            Expected::RefusedBy(WANT_THE_END, "is missing: the log stops after"),
            |log| {
                drop(log.pop());
            },
        ),
    ]
}

fn texts() -> Vec<Case> {
    vec![
        // A tournament with a plan and no whole line of a log is begun anew; for others, there is no log.
        text("empty", Expected::AcceptedBy(&[Reader::Journal], ""), |_| String::new()),
        text("a torn header", Expected::AcceptedBy(&[Reader::Journal], ""), |log| {
            log[..99].to_owned()
        }),
        text("a torn last line", Expected::RefusedBy(WANT_THE_END, "is truncated"), |log| {
            log[..log.len() - 9].to_owned()
        }),
        text("a torn line in the middle", Expected::Refused("line 3 "), |log| {
            let (before, after) = around(log, 3);
            format!("{}{after}", &before[..before.len() - 9])
        }),
        text("a line without its line feed", Expected::Refused("line 3 "), |log| {
            let (before, after) = around(log, 3);
            format!("{}{after}", before.trim_end())
        }),
        text(
            "a broken chain",
            Expected::Refused("line 3 does not follow the previous line"),
            |log| {
                let ((before, _), (_, after)) = (around(log, 2), around(log, 3));
                format!("{before}{after}")
            },
        ),
        text("another line end", Expected::Refused("line 1 ends in a carriage return"), |log| {
            log.replace('\n', "\r\n")
        }),
        text("a changed line", Expected::Refused("was modified"), |log| {
            log.replacen("\"deal\":", "\"deal\":1", 1)
        }),
    ]
}

/// A log up to the end of a line, and what comes after it.
fn around(log: &str, line: usize) -> (&str, &str) {
    let length = log.split_inclusive('\n').take(line).map(str::len).sum();
    log.split_at(length)
}

fn own_seed() -> CommittedSeed {
    serde_json::from_value(tests::tournament::SEED.into()).expect("a seed")
}

fn header(log: &mut Lines) -> &mut Header {
    match &mut log[0] {
        Line::Header(header) => header,
        other => unreachable!("{other:?}"),
    }
}

fn game(log: &mut Lines, line: usize) -> &mut GameRecord {
    match &mut log[line] {
        Line::Game(game) => game,
        other => unreachable!("{other:?}"),
    }
}

fn end(log: &mut Lines) -> &mut End {
    match log.last_mut() {
        Some(Line::End(end)) => end,
        other => unreachable!("{other:?}"),
    }
}

//! The loop of a program: requests in, moves out.

use std::io::{BufRead, Read, Write};

use rules::wire::{NotRequest, game_name};
use rules::{GameKind, NotText};

use crate::player::{Answers, Failure};
use crate::program::Runs;

/// The longest request that is read, in bytes: several times what any game will ask.
const LONGEST_REQUEST: usize = 4 << 20;

/// The last line of every request.
const END: &[u8] = b"end";

/// Answers one request after another, each with one line, until the input ends.
///
/// So the same program works when it is started for one request and when it is kept alive. The
/// output is flushed after every answer, since the next request comes only after it. An input
/// that ends before the first line of a request is a normal end. Where a limit cut a choice short,
/// a note before the answer says how far it came.
pub fn serve<P: Runs>(
    options: &[String],
    mut input: impl BufRead,
    mut output: impl Write,
    mut notes: impl Write,
) -> Result<(), Failure> {
    let mut players: Vec<(String, Box<dyn Answers>)> = Vec::new();
    let mut request = Vec::new();
    while read_request(&mut input, &mut request)? {
        let request = text(&request)?;
        let name = name(request)?;
        let place = match players.iter().position(|(game, _)| game == name) {
            Some(place) => place,
            None => {
                let player = match (name.parse::<GameKind>(), P::of_any_game()) {
                    (Ok(kind), _) => P::answering(&kind, options)?,
                    (Err(_), Some(player)) => player,
                    (Err(problem), None) => return Err(NotRequest { line: 2, problem }.into()),
                };
                players.push((name.to_owned(), player));
                players.len() - 1
            }
        };
        let player = &mut players[place].1;
        let answer = player.answer(request)?;
        if let Some(cut) = player.short() {
            // A note is worth no answer.
            let _ = writeln!(notes, "note {cut}");
        }
        output.write_all((answer + "\n").as_bytes())?;
        output.flush()?;
    }
    Ok(())
}

/// Reads up to the line `end` or the end of the input, whichever is first; says whether there was
/// anything to read.
fn read_request(input: &mut impl BufRead, request: &mut Vec<u8>) -> Result<bool, Failure> {
    request.clear();
    loop {
        let start = request.len();
        let left = (LONGEST_REQUEST + 1).saturating_sub(start) as u64;
        input.by_ref().take(left).read_until(b'\n', request)?;
        if request.len() > LONGEST_REQUEST {
            return Err(Failure::TooLong(LONGEST_REQUEST));
        }
        let line = &request[start..];
        if line.is_empty() || line.trim_ascii_end() == END {
            return Ok(!request.is_empty());
        }
    }
}

fn text(request: &[u8]) -> Result<&str, NotRequest> {
    std::str::from_utf8(request).map_err(|error| {
        let before = &request[..error.valid_up_to()];
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        NotRequest { line, problem: NotText::new("text in ASCII", "other bytes") }
    })
}

/// The name of the game that a request is about, or what is wrong with its first two lines.
fn name(request: &str) -> Result<&str, NotRequest> {
    game_name(request).ok_or_else(|| {
        let mut lines = request.lines();
        let first = lines.next().unwrap_or_default();
        if first.starts_with("arbiter ") {
            let second = lines.next().unwrap_or_default();
            NotRequest { line: 2, problem: NotText::new("`game NAME`", second) }
        } else {
            NotRequest { line: 1, problem: NotText::new("`arbiter VERSION`", first) }
        }
    })
}

//! Plays any game: a legal move at random. A start for your own bot.
//!
//! A bot reads a request from standard input and prints one move. These are its lines:
//!
//!   arbiter 1          the version of the protocol, always the first line
//!   game NAME OPTIONS  the game and its options
//!   match ID           a name of this game, the same in all its requests
//!   seat S             your seat; seats count from 0 in the order of turns
//!   move K             the number of moves before this one in the game
//!   time T             milliseconds for this answer
//!   seed X             16 hexadecimal digits for your randomness, new in every request
//!   retry K            your last answer broke a rule, and this is retry K
//!   reason TEXT        the rule that it broke
//!   view N             N lines follow: all you can see of the current state, KEY VALUE...
//!   history N          N lines follow: the events so far, one per line
//!   legal N            N lines follow: legal moves; `legal N more` means that there are others
//!   end                the last line; another request may follow
//!
//! Lines with other keys are skipped, because later versions may add some.

use std::collections::HashMap;
use std::error::Error;
use std::io::{self, BufRead, stdin};
use std::process::exit;

/// A request: the text behind each key, and the lines of `view`, `history` and `legal`.
#[derive(Default)]
struct Request {
    values: HashMap<String, String>,
    lists: HashMap<String, Vec<String>>,
}

/// The next request; nothing where no other comes.
fn read_request(input: impl BufRead) -> Result<Option<Request>, Box<dyn Error>> {
    let mut request = Request::default();
    let mut lines = input.lines();
    while let Some(line) = lines.next().transpose()? {
        let (key, value) = line.split_once(' ').unwrap_or((&line, ""));
        match key {
            "end" => return Ok(Some(request)),
            "view" | "history" | "legal" => {
                let count = value.split(' ').next().unwrap_or_default().parse()?;
                let list: Result<Vec<String>, io::Error> = lines.by_ref().take(count).collect();
                request.lists.insert(key.to_owned(), list?);
            }
            "arbiter" if value != "1" => {
                eprintln!("expected version 1 of the protocol, found `{value}`");
                exit(1);
            }
            _ => {
                request.values.insert(key.to_owned(), value.to_owned());
            }
        }
    }
    Ok(None)
}

/// The move to play.
fn choose(request: &Request) -> Option<&str> {
    // YOUR BOT GOES HERE. All your seat knows is in the lists `view` and `history`.
    // If a bot uses only this seed for randomness, it plays the same in a repeated match.
    let moves = request.lists.get("legal")?;
    let seed = u64::from_str_radix(request.values.get("seed")?, 16).ok()?;
    let chosen = seed.checked_rem(moves.len() as u64)?;
    Some(&moves[chosen as usize])
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut input = stdin().lock();
    while let Some(request) = read_request(&mut input)? {
        println!("{}", choose(&request).ok_or("expected a seed and legal moves")?);
    }
    Ok(())
}

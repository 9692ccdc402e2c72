//! Plays any game: answers with one of the listed legal moves, chosen at random.
//!
//! A bot reads a request from standard input and prints one move, and that is all.
//! To compile: rustc -O random.rs

use std::error::Error;
use std::io::stdin;

fn main() -> Result<(), Box<dyn Error>> {
    let mut lines = stdin().lines();
    let mut seed = 0;
    // Every line is a key and its value. Keys that are not known here are passed over, so that the
    // bot still plays when a later version of the protocol has more of them.
    while let Some(line) = lines.next().transpose()? {
        let mut words = line.split(' ');
        match (words.next(), words.next()) {
            // The seed differs for every request. A bot that takes all chance from it plays the
            // same again when a match is repeated.
            (Some("seed"), Some(value)) => seed = u64::from_str_radix(value, 16)?,
            // So many lines follow: what the seat knows now, or what has happened.
            (Some("view" | "history"), Some(count)) => {
                let count = count.parse()?;
                lines.by_ref().take(count).for_each(drop);
            }
            // So many moves follow; `legal 1000 more` says that there are others not listed.
            (Some("legal"), Some(count)) => {
                let count: usize = count.parse()?;
                let moves: Result<Vec<String>, _> = lines.by_ref().take(count).collect();
                println!("{}", moves?[(seed % count as u64) as usize]);
            }
            _ => {}
        }
    }
    Ok(())
}

//! `arbiter request`: what a bot was asked, byte for byte.

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::recall::{Moment, Recalled, failure};

/// A question in a log.
#[derive(Debug)]
pub struct AskedMove {
    /// The log.
    pub log: PathBuf,
    /// The number of the game, from 0.
    pub game: u64,
    /// The number of the move, from 0.
    pub number: u32,
    /// Which second chance, from 1; the first chance, if not said.
    pub retry: Option<u32>,
}

/// Writes the exact bytes that were sent for a move, derived again; that their digest is the one
/// in the log is a part of that.
///
/// # Errors
///
/// [`Failure::Usage`] where nobody was asked there, [`Failure::Verification`] where the log is
/// wrong or another request was logged; then nothing is written.
pub fn run(asked: &AskedMove, out: &mut dyn Write) -> Result<(), Failure> {
    let recalled = Recalled::find(&asked.log, asked.game)?;
    let retry = asked.retry.unwrap_or(0);
    let mut request = None;
    let mut moments = Vec::new();
    recalled
        .questions(&mut |moment, question, _, _| {
            if (moment.number, moment.retry) == (asked.number, retry) {
                request = Some(question.asked().bytes());
            }
            moments.push(moment);
        })
        .map_err(|error| failure(&asked.log, error))?;
    let Some(request) = request else {
        return Err(nobody_was_asked(&asked.log, asked, &moments));
    };
    Ok(out.write_all(&request)?)
}

/// Says where somebody was asked instead.
pub(super) fn nobody_was_asked(path: &Path, asked: &AskedMove, moments: &[Moment]) -> Failure {
    let AskedMove { game, number, retry, .. } = asked;
    let at = |moment: &&Moment| moment.number == *number;
    let numbers = || moments.iter().map(|moment| moment.number);
    let chances = moments.iter().filter(at).count();
    let why = match (chances, retry, numbers().min(), numbers().max()) {
        (_, _, None, _) | (_, _, _, None) => "nobody was asked in it".to_owned(),
        (1.., Some(_), ..) => format!("its move {number} had {} second chances", chances - 1),
        (0, _, Some(first), Some(last)) if (first..=last).contains(number) => {
            format!("its move {number} was one that nobody was asked for")
        }
        (_, _, Some(first), Some(last)) => format!("it has moves from {first} to {last}"),
    };
    Failure::Usage(format!("{}: game {game}: {why}", path.display()))
}

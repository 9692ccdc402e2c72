//! `arbiter request`: what a bot was asked, byte for byte.

use std::io::Write;

use crate::failure::Failure;
use crate::recall::{GameOfLog, Moment, Recalled, failure};

/// Writes the exact bytes that were sent for a move, derived again; that their digest is the one
/// in the log is a part of that.
///
/// `number` is that of the move, from 0; `retry` is 0 for the first answer, or the number of a
/// second chance.
///
/// # Errors
///
/// [`Failure::Usage`] where nobody was asked there, [`Failure::Verification`] where the log is
/// wrong or another request was logged; then nothing is written.
pub fn run(
    wanted: &GameOfLog,
    number: u32,
    retry: u32,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let recalled = Recalled::find(wanted)?;
    let mut request = None;
    let mut moments = Vec::new();
    recalled
        .questions(&mut |moment, question, _, _| {
            if (moment.number, moment.retry) == (number, retry) {
                request = Some(question.asked().bytes());
            }
            moments.push(moment);
        })
        .map_err(|error| failure(&wanted.log, error))?;
    let Some(request) = request else {
        return Err(nobody_was_asked(wanted, number, &moments));
    };
    Ok(out.write_all(&request)?)
}

/// Says where somebody was asked instead.
pub(super) fn nobody_was_asked(wanted: &GameOfLog, number: u32, moments: &[Moment]) -> Failure {
    let numbers = || moments.iter().map(|moment| moment.number);
    let chances = numbers().filter(|asked| *asked == number).count();
    let why = match (chances, numbers().min(), numbers().max()) {
        (_, None, _) | (_, _, None) => "nobody was asked in it".to_owned(),
        (1.., ..) => format!("its move {number} had {} second chances", chances - 1),
        (0, Some(first), Some(last)) if (first..=last).contains(&number) => {
            format!("its move {number} was one that nobody was asked for")
        }
        (_, Some(first), Some(last)) => format!("it has moves from {first} to {last}"),
    };
    Failure::Usage(format!("{}: game {}: {why}", wanted.log.display(), wanted.game))
}
